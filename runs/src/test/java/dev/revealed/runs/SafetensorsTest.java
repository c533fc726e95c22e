package dev.revealed.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsTest {
    @TempDir
    private Path folder;

    private static byte[] bytes(Tensors tensors, Map<String, String> metadata) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Safetensors.write(out, tensors, metadata);
        return out.toByteArray();
    }

    /** A file as the format's description has it. */
    private Path file(String header, int... data) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.allocate(8 + json.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(json.length).put(json);
        for (int b : data) {
            buffer.put((byte) b);
        }
        return Files.write(folder.resolve("hand.safetensors"), buffer.array());
    }

    /** Halves by the tables of IEEE 754: 1.5 is 3E00, -2 is C000, 65504 the largest, and a third is 3555 (0.33325195). */
    @Test
    void halvesAreWrittenAndReadAsTheStandardHasThem() throws IOException {
        Tensors tensors = new Tensors();
        tensors.put("w", new float[] {1.5f, -2, 65504, 1 / 3f});
        tensors.put("bound", new float[] {0.4f});
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Safetensors.writeHalf(out, tensors, Map.of("task", "hopper"));
        byte[] all = out.toByteArray();
        assertThat(Arrays.copyOfRange(all, all.length - 8, all.length))
                .containsExactly(0x00, 0x3E, 0x00, 0xC0, 0xFF, 0x7B, 0x55, 0x35);
        Safetensors.Content read = Safetensors.read(Files.write(folder.resolve("half.safetensors"), all));
        assertThat(read.tensors().floats("w")).containsExactly(1.5f, -2, 65504, 0.33325195f);
        assertThat(read.tensors().floats("bound")).containsExactly(0.4f); // exact: a single number costs nothing
        assertThat(read.metadata()).containsEntry("task", "hopper");
    }

    @Test
    void readsAFileWrittenByHand() throws IOException {
        // 1.5 and -2 in single precision, then 7 as an integer, in an order of their own and padded with spaces
        Path file = file(
                "{\"n\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[8,16]},"
                        + "\"w\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]},"
                        + "\"__metadata__\":{\"format\":\"pt\"}}   ",
                0,
                0,
                0xC0,
                0x3F,
                0,
                0,
                0,
                0xC0,
                7,
                0,
                0,
                0,
                0,
                0,
                0,
                0);
        Safetensors.Content content = Safetensors.read(file);
        assertThat(content.tensors().names()).containsExactly("n", "w");
        assertThat(content.tensors().floats("w")).containsExactly(1.5f, -2f);
        assertThat(content.tensors().get("w").shape()).containsExactly(1, 2);
        assertThat(content.tensors().longs("n")).containsExactly(7);
        assertThat(content.tensors().get("n").shape()).isEmpty();
        assertThat(content.metadata()).containsExactly(Map.entry("format", "pt"));
    }

    @Test
    void writesTheBytesOfTheFormat() throws IOException {
        Tensors tensors = new Tensors().put("a", new float[] {1.5f}).put("b", 7L);
        byte[] written = bytes(tensors, Map.of("y", "2", "x", "1"));
        String header = "{\"__metadata__\":{\"x\":\"1\",\"y\":\"2\"},"
                + "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]},"
                + "\"b\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]}}";
        int padded = (header.length() + 7) / 8 * 8;
        ByteBuffer expected = ByteBuffer.allocate(8 + padded + 12).order(ByteOrder.LITTLE_ENDIAN);
        expected.putLong(padded).put((header + " ".repeat(padded - header.length())).getBytes(StandardCharsets.UTF_8));
        expected.putLong(7).putFloat(1.5f);
        assertThat(written).isEqualTo(expected.array());
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        RandomStream stream = RandomStream.of(3);
        float[] floats = new float[700_001]; // several chunks, and an odd end
        for (int i = 0; i < floats.length; i++) {
            floats[i] = Float.intBitsToFloat(stream.nextInt()); // NaN and infinities included
        }
        double[] doubles = stream.doubles(6).toArray();
        Tensors tensors = new Tensors()
                .put("actor/0/weights", floats)
                .put("nothing", new float[0], 0, 4)
                .put("stream \"quoted\" ü", 1, Long.MIN_VALUE)
                .put("state", doubles, 2, 3);
        Map<String, String> notes = new LinkedHashMap<>(Map.of("Straße", "a\nb", "k", ""));
        Path file = Files.write(folder.resolve("x.safetensors"), bytes(tensors, notes));
        Safetensors.Content content = Safetensors.read(file);
        assertThat(content.tensors().names()).containsExactlyElementsOf(tensors.names());
        assertThat(content.tensors().floats("actor/0/weights")).isEqualTo(floats);
        assertThat(content.tensors().get("nothing").shape()).containsExactly(0, 4);
        assertThat(content.tensors().longs("stream \"quoted\" ü")).containsExactly(1, Long.MIN_VALUE);
        assertThat(content.tensors().doubles("state")).isEqualTo(doubles);
        assertThat(content.tensors().get("state").shape()).containsExactly(2, 3);
        assertThat(content.metadata()).isEqualTo(notes);
        assertThat(bytes(content.tensors(), content.metadata())).isEqualTo(Files.readAllBytes(file));
    }

    @Test
    void everyShorterFileIsRefused() throws IOException {
        byte[] whole = bytes(new Tensors().put("w", new float[] {1, 2, 3}).put("n", 4L), Map.of("k", "v"));
        for (int length = 0; length < whole.length; length++) {
            Path cut = Files.write(folder.resolve("cut.safetensors"), Arrays.copyOf(whole, length));
            assertThatExceptionOfType(BadInput.class)
                    .isThrownBy(() -> Safetensors.read(cut))
                    .withMessageContaining("cut.safetensors");
        }
        Path longer = Files.write(folder.resolve("long.safetensors"), Arrays.copyOf(whole, whole.length + 1));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Safetensors.read(longer))
                .withMessageContaining("1 bytes behind");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'w':{'dtype':'BF16','shape':[4],'data_offsets':[0,8]}}; tensor 'w': it has the type 'BF16'",
                "{'w':{'dtype':'F32','shape':[3],'data_offsets':[0,8]}}; tensor 'w': the shape [3] of F32 needs 12",
                "{'w':{'dtype':'F32','shape':[-1],'data_offsets':[0,8]}}; tensor 'w': '-1' is no length",
                "{'w':{'dtype':'F32','shape':[2.5],'data_offsets':[0,8]}}; tensor 'w': '2.5' is no length",
                "{'w':{'dtype':'F32','shape':[2147483647,2],'data_offsets':[0,8]}}; too large",
                "{'w':{'dtype':'F32','shape':[2],'data_offsets':[8,0]}}; tensor 'w'",
                "{'w':{'dtype':'F32','shape':[2],'data_offsets':[4,12]}}; tensor 'w': it begins at byte 4",
                "{'w':{'dtype':'F32','shape':[4],'data_offsets':[0,16]}}; tensor 'w': it ends at byte 16",
                "{'w':{'dtype':'F32','shape':[1],'data_offsets':[0,4]}}; 4 bytes behind",
                "{'a':{'dtype':'F32','shape':[2],'data_offsets':[0,8]},'b':{'dtype':'F32','shape':[1],"
                        + "'data_offsets':[4,8]}}; tensor 'b': it begins at byte 4 where 8 is next: arrays overlap",
                "{'w':{'dtype':'F32','shape':[2]}}; tensor 'w': its entry lacks",
                "{'w':7}; tensor 'w': its entry lacks",
                "{'w':; not a JSON",
                "[1,2,3]; not a safetensors file",
                "{'__metadata__':{'k':1}}; metadata 'k'"
            })
    void badHeadersAreRefused(String header, String message) throws IOException {
        Path file = file(header.replace('\'', '"'), 0, 0, 0, 0, 0, 0, 0, 0);
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Safetensors.read(file))
                .withMessageContaining("hand.safetensors")
                .withMessageContaining(message);
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        Path text = Files.writeString(folder.resolve("notes.txt"), "These are my notes, not tensors.");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Safetensors.read(text))
                .withMessageContaining("notes.txt")
                .withMessageContaining("not a safetensors file");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Safetensors.read(folder.resolve("absent")))
                .withMessageContaining("there is no file");
    }

    @Test
    void theNameOfTheMetadataIsTaken() {
        Tensors tensors = new Tensors().put("__metadata__", 1L);
        assertThatIllegalArgumentException().isThrownBy(() -> bytes(tensors, Map.of()));
    }
}
