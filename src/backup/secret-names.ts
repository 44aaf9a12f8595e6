import type { HomeCopy } from './manifest.ts';

/** Those whose names differ by more than their form; the others are `mediaUrlSecret` here and `MEDIA_URL_SECRET` there. */
const otherNames: Record<string, string> = { bridgeToken: 'BRIDGE_ENROLMENT_TOKEN' };

/** `MEDIA_URL_SECRET` of `mediaUrlSecret`. */
const deploymentName = (name: string): string =>
  otherNames[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

export const localName = (name: string): string =>
  Object.keys(otherNames).find((own) => otherNames[own] === name) ??
  name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

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
