package dev.revealed.studio;

import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate with its key in a PKCS12 file, with which a server encrypts what it sends. */
public final class Certificate {
    private Certificate() {}

    /** What encrypts with it. */
    public static SSLContext read(Path file, char[] password) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password);
            BadInput.when(
                    keys.size() == 0,
                    "%s holds no certificate with a key".formatted(file),
                    "openssl pkcs12 -export -in cert.pem -inkey key.pem -out certificate.p12 makes one.");
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new BadInput(
                    "the certificate %s cannot be read (%s)".formatted(file, e.getMessage()),
                    "Give a PKCS12 file, and its password with `certificate-password`.");
        }
    }
}
