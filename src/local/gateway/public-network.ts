import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';

/** Where clouds keep their metadata and control services: whatever is listed, closed. */
const metadata = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128', '168.63.129.16/32', '192.0.0.192/32'];

/**
 * The network on which the Worker calls what customers name, for workerd: public addresses, and those of the operator's
 * list. It judges the address that a connection goes to, whatever name has led there.
 */
export function publicNetwork(privateHosts: readonly string[]) {
  const listed = privateHosts.flatMap((host) => {
    if (ipaddr.isValidCIDR(host)) return [host];
    if (!ipaddr.isValid(host)) return [];
    return [`${host}/${ipaddr.parse(host).kind() === 'ipv4' ? 32 : 128}`];
  });
  const ownAuthorities = process.env.NODE_EXTRA_CA_CERTS;
  return {
    network: {
      allow: ['public', ...listed],
      deny: metadata,
      tlsOptions: {
        trustBrowserCas: true,
        ...(ownAuthorities && { trustedCertificates: certificatesIn(readFileSync(ownAuthorities, 'utf8')) }),
      },
    },
  };
}

/** The runtime takes one certificate a text, and a file of them may hold many. */
const certificatesIn = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
