import type { HomeCopy } from './manifest.ts';

/** Those whose names differ by more than their form; the others are `mediaUrlSecret` here and `MEDIA_URL_SECRET` there. */
const otherNames: Record<string, string> = { bridgeToken: 'BRIDGE_ENROLMENT_TOKEN' };

const entries = Object.entries(otherNames);

/** `MEDIA_URL_SECRET` of `mediaUrlSecret`, and the same of `…Previous`. */
function deploymentName(name: string): string {
  const [own = '', other = ''] = entries.find(([it]) => name.startsWith(it)) ?? [];
  return (
    other +
    name
      .slice(own.length)
      .replaceAll(/[A-Z]/g, (letter) => `_${letter}`)
      .toUpperCase()
  );
}

/** The other way round. */
export function localName(name: string): string {
  const [own = '', other = ''] = entries.find(([, it]) => name.startsWith(it)) ?? [];
  const rest = name.slice(other.length).toLowerCase();
  return own + rest.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Whether they are those of a state folder, by their names. */
export const isLocal = (secrets: HomeCopy['secrets']): boolean => 'webhookSealingKey' in secrets;

/** The secrets by the names that a deployment and its bridges have for them. */
export function deploymentSecrets(secrets: HomeCopy['secrets']): Record<string, string> {
  if (!isLocal(secrets)) return secrets as Record<string, string>;
  const { admin: _, network: __, ...own } = secrets;
  return Object.fromEntries(
    Object.entries(own).map(([name, secret]) => [
      deploymentName(name),
      typeof secret === 'string' ? secret : JSON.stringify(secret),
    ]),
  );
}
