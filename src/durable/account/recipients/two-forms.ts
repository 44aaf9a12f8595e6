/**
 * Countries that changed their mobile numbers. The network still knows people who joined before by their old digits. Brazil (55)
 * added a 9 from 2012 to 2016. Mexico (52) dropped a 1 in August 2019. Argentina (54) has a 9 only in calls from abroad. Ivory
 * Coast (225) went from eight digits to ten in January 2021, and Benin (229) in November 2024. The sources are the notices of
 * these countries to the ITU. The list only saves look-ups for other countries: the answer of a look-up counts for numbers of
 * every country.
 */
const twoForms = /^(55\d{10,11}|521?\d{10}|549?\d{10}|22[59](\d{8}|\d{10}))$/;

/** Whether the network alone can say by which digits it knows somebody. */
export const mayHaveTwoForms = (to: string): boolean => twoForms.test(to);

/**
 * Where the numbering plan alone says which former digits are whose: digits before the change, and what they became. Brazil gave
 * the 9 to mobile numbers, which began with 6 to 9. In Argentina, and for the ten digits of Ivory Coast, only the network can say.
 */
const changes: readonly (readonly [former: RegExp, current: RegExp, toCurrent: string, toFormer: string])[] =
  [
    [/^55([1-9]{2})([6-9]\d{7})$/, /^55([1-9]{2})9([6-9]\d{7})$/, '55$19$2', '55$1$2'],
    [/^521(\d{10})$/, /^52(\d{10})$/, '52$1', '521$1'],
    [/^229(\d{8})$/, /^22901(\d{8})$/, '22901$1', '229$1'],
  ];

/** The digits that somebody has by the numbering plan of today; those that were given where no former plan is known. */
export function currentForm(digits: string): string {
  const change = changes.find(([former]) => former.test(digits));
  return change === undefined ? digits : digits.replace(change[0], change[2]);
}

/** All digits that certainly are those of one person, whatever the network has not said yet: the current ones first. */
export function formsOf(digits: string): string[] {
  const current = currentForm(digits);
  const change = changes.find(([, now]) => now.test(current));
  return change === undefined ? [current] : [current, current.replace(change[1], change[3])];
}
