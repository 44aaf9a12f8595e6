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
