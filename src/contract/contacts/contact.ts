import { z } from 'zod';
import { personSchema } from '../numbers/group.ts';
import { comparableText } from '../texts/text.ts';

/** What a number learns of somebody: an address at least, and what the phone's address book or they themselves say. */
export const seenContactSchema = personSchema.extend({
  /** As the owner of the phone has written it down; empty: no more. */
  name: z.string().max(512).optional(),
  /** As they call themselves. */
  pushName: z.string().max(512).optional(),
});
export type SeenContact = z.infer<typeof seenContactSchema>;

/** Contacts in one fact of a bridge. */
export const seenContactsMax = 100;

export const labelCharactersMax = 50;
const labelsMax = 50;

export const labelSchema = z
  .string()
  .min(1)
  .max(labelCharactersMax)
  .refine((label) => label.trim() === label, 'Must not begin or end with a space.');
/** Each label once. Labels that differ by case alone are one, and the first spelling stands. */
export function distinctLabels(labels: readonly string[]): string[] {
  const known = new Set<string>();
  return labels.filter((label) => {
    const key = comparableText(label);
    return known.has(key) ? false : known.add(key);
  });
}
/** Whether it is among these, in any case. */
export function hasLabel(labels: readonly string[], label: string): boolean {
  const key = comparableText(label);
  return labels.some((one) => comparableText(one) === key);
}
export const labelsSchema = z.array(labelSchema).max(labelsMax).transform(distinctLabels);

/** How the account knows that somebody agrees to be written to: "sign-up form", "shop, 2026". */
export const consentSourceSchema = z
  .string()
  .min(1)
  .max(200)
  .refine((source) => source.trim() !== '', 'Must not be blank.');
