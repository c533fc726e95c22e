package dev.revealed.app.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.app.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What scripts/carry.sh writes for the other machine, with a program that sleeps for some seconds. */
class CarryScriptTest {
    /** Writes the scripts, and packs the program again after a change. */
    private static final String PREPARE = """
            set -eu
            export WORK=$PWD/work
            folder=$PWD/carried
            mkdir -p carried program/revealed work
            eval "$(sed -n '/^cat >/,/^END$/p' "$CARRY")"
            echo '{}' >carried/experts.json
            touch carried/a.txt carried/b.txt
            printf '#!/bin/sh\\nsleep "$SLEEP"\\necho ended\\n' >program/revealed/revealed
            chmod +x program/revealed/revealed
            pack() { tar cJf carried/program.tar.xz -C program revealed; }
            pack
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void onLinux() throws IOException, InterruptedException {
        assumeTrue(
                Files.isDirectory(Path.of("/proc/self"))
                        && bash("for each in python3 xz setsid awk; do command -v $each || { echo none; exit 1; }; done")
                                .isEmpty(),
                "SKIPPED: needs Linux with python3, xz, setsid and awk");
    }

    private String bash(String script) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment()
                .put("CARRY", Repository.root().resolve("scripts/carry.sh").toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : said;
    }

    @Test
    void theWholeHeadingIsTheHelp() throws IOException, InterruptedException {
        assertThat(bash("bash \"$CARRY\""))
                .startsWith("carry.sh FOLDER FILE...")
                .contains("look.sh SECONDS")
                .doesNotContain("pipefail");
    }

    /** Its number may belong to another process by now: to this shell here. */
    @Test
    void aProcessOfAnEarlierStartIsNotWaitedFor() throws IOException, InterruptedException {
        String said = bash(PREPARE + """
                printf "%s\\n" "$$" "$$:1" >work/earlier.pid
                SLEEP=0 bash carried/begin.sh a
                for i in 1 2 3 4 5 6 7 8 9 10; do
                    if grep -q ended work/a.log; then exit 0; fi
                    sleep 0.5
                done
                exit 1
                """);
        assertThat(said).isEmpty();
        assertThat(folder.resolve("work/a.log")).hasContent("ended");
    }

    @Test
    void aProgramIsNotReplacedUnderItsRuns() throws IOException, InterruptedException {
        String said = bash(PREPARE + """
                SLEEP=60 bash carried/begin.sh a
                trap 'kill -- -$(cut -d: -f1 work/a.pid)' EXIT
                echo '# newer' >>program/revealed/revealed
                pack
                SLEEP=0 bash carried/begin.sh b
                """);
        assertThat(said).contains("still runs with an older program in " + folder.resolve("work"));
        assertThat(folder.resolve("work/revealed/revealed")).content().doesNotContain("newer");
        assertThat(folder.resolve("work/b.log")).doesNotExist();
    }
}
