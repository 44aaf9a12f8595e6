/**
 * Countries whose people the network knows by other digits than those of today's numbering plan, for it did not move
 * everybody who joined before: Brazil (55) put a 9 before mobile numbers from 2012 to 2016, Mexico (52) dropped a 1 in
 * August 2019, Argentina (54) writes a 9 before mobile numbers in calls from abroad alone, Ivory Coast (225) went from eight
 * digits to ten in January 2021, and Benin (229) in November 2024. The sources are the notices of these countries to the ITU.
 * It only spares questions about everybody else: what a look-up has answered counts for numbers of every country.
 */
const twoForms = /^(55\d{10,11}|521?\d{10}|549?\d{10}|22[59](\d{8}|\d{10}))$/;

/** Whether the network alone can say by which digits it knows somebody. */
export const mayHaveTwoForms = (to: string): boolean => twoForms.test(to);
