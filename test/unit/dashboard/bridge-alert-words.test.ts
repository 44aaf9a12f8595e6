import { createTranslator } from 'use-intl';
import { expect, test } from 'vitest';
import { fleetRegionNames } from '../../../src/contract/bridge/bridge-token.ts';
import { alerts as en } from '../../../src/dashboard/features/alerts/words.en.ts';
import { alerts as es } from '../../../src/dashboard/features/alerts/words.es.ts';
import { alerts as id } from '../../../src/dashboard/features/alerts/words.id.ts';
import { alerts as pt } from '../../../src/dashboard/features/alerts/words.pt.ts';

const troubles = ['lost', 'missing', 'full', 'over'] as const;

test.for(Object.entries({ en, es, id, pt }))(
  'alerts of numbers without a bridge are whole sentences in %s, wherever the numbers are and however many',
  ([locale, messages]) => {
    const t = createTranslator({ locale, messages, onError: ({ message }) => expect.fail(message) });
    for (const trouble of troubles)
      for (const count of [1, 5])
        for (const region of [null, ...fleetRegionNames]) {
          const place = region === null ? 'none' : t(`regions.${region}`);
          const said = t.markup(`bridges.${trouble}`, { b: (counted) => counted, count, place });
          expect(said).toMatch(new RegExp(`^${count} \\p{L}.*[^ ]\\.$`, 'u'));
          expect(said).not.toMatch(/[{}<>]| {2}|none/);
          expect(said.includes(place)).toBe(region !== null && trouble !== 'lost');
        }
  },
);
