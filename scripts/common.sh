# shellcheck shell=bash
# Sourced by ./revealed and ./verify: finds the tools that a build needs, or says what to install.

say() { printf '%s\n' "$*" >&2; }

is_jdk_25() { # FOLDER: a whole JDK (with javac), 25 or newer. Reads a file, since starting each java found is slow.
    [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
    local major
    major=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
    [ "${major:-0}" -ge 25 ]
}

find_jdk() { # sets JAVA_HOME
    local on_path home
    on_path=$(readlink -f "$(command -v java)" 2>/dev/null) || on_path=
    for home in "${JAVA_HOME:-}" "${on_path%/bin/java}" /usr/lib/jvm/* /opt/java/* \
        "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
        {"$HOME",}/Library/Java/JavaVirtualMachines/*/Contents/Home \
        {/opt/homebrew,/usr/local}/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
        if is_jdk_25 "$home"; then
            export JAVA_HOME=$home
            return
        fi
    done
    return 1
}

apt_install() { # PACKAGE: only where we may (root on Debian and its kin); fails quietly elsewhere
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    say "revealed: installing $1 with apt-get"
    { apt-get install -y "$1" || { apt-get update && apt-get install -y "$1"; }; } >/dev/null 2>&1 </dev/null
}

need_jdk() {
    find_jdk && return
    apt_install openjdk-25-jdk-headless && find_jdk && return
    say "revealed: needs a JDK, version 25 or newer, and found none."
    say "  Install one (Temurin 25 or OpenJDK 25, from your package manager or SDKMAN), or, if you have it"
    say "  already, point JAVA_HOME at its folder. Then run the same command again."
    exit 1
}

need_maven() {
    command -v mvn >/dev/null || apt_install maven || :
    command -v mvn >/dev/null && return
    say "revealed: needs Maven, 3.8 or newer, to build itself, and found no mvn."
    say "  Install it with your package manager (the package is called maven), then run the same command again."
    exit 1
}

want_ipopt() { # the solver mpec prefers. Only wished for: ours, in Java, takes its place
    local library
    for library in /usr/lib/libipopt.so* /usr/lib/*/libipopt.so* /usr/local/lib/libipopt.* /opt/homebrew/lib/libipopt.*; do
        [ -e "$library" ] && return
    done
    apt_install coinor-libipopt1v5 && return
    say "revealed: Ipopt is not installed, so the method mpec will use the solver that comes with Revealed."
}

want_mujoco() { # the physics of the locomotion tasks; everything else works without it
    local library
    for library in "${REVEALED_MUJOCO:-}" /usr/lib/libmujoco.so* /usr/lib/*/libmujoco.so* /usr/local/lib/libmujoco.so*; do
        [ -e "$library" ] && return
    done
    apt_install libmujoco2.2.2 && return
    say "revealed: MuJoCo is not installed, and the locomotion tasks (hopper, ant, ...) need it. To install it, type:"
    say "  apt-get install libmujoco2.2.2"
}

want_chromium() { # in which tests look at the page of 'studio'; those tests are skipped without it
    local browser
    for browser in chromium chromium-browser google-chrome chrome; do
        command -v "$browser" >/dev/null && return
    done
    apt_install chromium fonts-dejavu-core && return
    say "revealed: Chromium is not installed, so that tests of the studio's page are skipped. To install it, type:"
    say "  apt-get install chromium fonts-dejavu-core"
}

want_gxx() { # compiles the emulator on which tests run the kernels for GPUs; those tests are skipped without it
    command -v g++ >/dev/null || apt_install g++ && return
    say "revealed: g++ is not installed, so that tests of the GPU's kernels are skipped. To install it, type:"
    say "  apt-get install g++"
}
