import type { UsedInstructions } from '../../../../durable/event-log/assistants/reports/instruction-versions.ts';

/** Hexadecimal digits: enough to tell the wordings of one assistant apart. */
const versionDigits = 12;

/** The same text has the same version, so that one who takes a change back has the old one again. */
export async function instructionsVersion(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(digest).toString('hex').slice(0, versionDigits);
}

export const usedInstructions = async (text: string): Promise<UsedInstructions> => ({
  version: await instructionsVersion(text),
  text,
});
