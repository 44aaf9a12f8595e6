import { expect, test } from 'vitest';
import { numbers as english } from '../../../src/dashboard/features/numbers/words.en.ts';
import { numbers as spanish } from '../../../src/dashboard/features/numbers/words.es.ts';
import { numbers as indonesian } from '../../../src/dashboard/features/numbers/words.id.ts';
import { numbers as portuguese } from '../../../src/dashboard/features/numbers/words.pt.ts';

/** What says the same of a number in its state, and in the reasons for it. */
const alike = {
  banned: ({ state, explain, reasons }: typeof english) => [
    state.banned,
    explain.banned,
    reasons.banned,
    reasons.temporarily_banned,
    reasons.banned_until,
  ],
  paired: ({ state, pair, explain, reasons }: typeof english) => [
    state.pairing,
    pair,
    explain.logged_out,
    reasons.refused,
    reasons.being_paired,
  ],
  connected: ({ state, explain, reasons }: typeof english) => [
    state.connected,
    explain.disconnected,
    reasons.never_connected,
  ],
  rest: ({ health, explainHealth, reasons }: typeof english) => [
    health.resting,
    explainHealth.resting,
    reasons.on_trial,
    reasons.failed_trial,
  ],
  chats: ({ explainHealth, reasons }: typeof english) => [explainHealth.restricted, reasons.no_new_chats],
  phone: ({ explain, reasons }: typeof english) => [
    explain.pairing,
    explain.logged_out,
    reasons.logged_out_by_phone,
    reasons.multidevice_mismatch,
    reasons.already_paired,
    reasons.passkey_required,
    reasons.linked_elsewhere,
  ],
};
type Thing = keyof typeof alike;

const languages: [string, typeof english, Record<Thing, RegExp>][] = [
  ['English', english, words('bann', 'pair', 'connect', 'rest|paused', 'chats', 'phone')],
  ['Spanish', spanish as never, words('bloque', 'vinc[uú]l', 'conect', 'pausa', 'chats', 'teléfono')],
  ['Portuguese', portuguese as never, words('bani', 'vincul', 'conect', 'pausa', 'conversas', 'telefone')],
  [
    'Indonesian',
    indonesian as never,
    words('blokir', '[pm]asang', 'sambung', 'istirahat', 'obrolan', 'ponsel'),
  ],
];

function words(...patterns: string[]): Record<Thing, RegExp> {
  const things = Object.keys(alike) as Thing[];
  return Object.fromEntries(
    things.map((thing, place) => [thing, new RegExp(patterns[place] ?? '', 'i')]),
  ) as Record<Thing, RegExp>;
}

test.each(languages)('%s has one word for one thing that is said of a number', (_, texts, word) => {
  for (const thing of Object.keys(alike) as Thing[]) {
    for (const text of alike[thing](texts)) expect(text).toMatch(word[thing]);
  }
});
