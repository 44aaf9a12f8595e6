import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';

const validYears = 10;

export type Certificate = { key: string; certificate: string; certificatePath: string };

/** The file that clients must trust (`NODE_EXTRA_CA_CERTS`). */
export function certificatePathIn(home: string): string {
  return join(home, 'certificate.pem');
}

/** The TLS certificate for 127.0.0.1, ::1 and localhost: made at the first start, kept afterwards. */
export async function loadCertificate(home: string): Promise<Certificate> {
  const certificatePath = certificatePathIn(home);
  const keyPath = join(home, 'key.pem');
  if (!existsSync(certificatePath) || !existsSync(keyPath)) {
    const notAfterDate = new Date();
    notAfterDate.setFullYear(notAfterDate.getFullYear() + validYears);
    const made = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      notAfterDate,
      extensions: [
        // Node accepts a self-signed certificate as its own authority only where it may sign.
        { name: 'basicConstraints', cA: true },
        { name: 'keyUsage', digitalSignature: true, keyCertSign: true },
        {
          name: 'subjectAltName',
          altNames: [
            { type: 7, ip: '127.0.0.1' },
            { type: 7, ip: '::1' },
            { type: 2, value: 'localhost' },
          ],
        },
      ],
    });
    writeWhole(keyPath, made.private);
    writeWhole(certificatePath, made.cert);
  }
  return {
    key: readFileSync(keyPath, 'utf8'),
    certificate: readFileSync(certificatePath, 'utf8'),
    certificatePath,
  };
}

function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
