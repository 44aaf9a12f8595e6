import type { Message } from '../../../sdk/index.ts';

/** Groups of digits are easier to read. What is no phone number stays as it is. */
export function readable(phoneNumber: string): string {
  if (!/^\d+$/.test(phoneNumber)) return phoneNumber;
  // The only country codes of one digit: of North America, and of Russia and Kazakhstan.
  const oneDigit = /^([17])(\d{3})(\d{3})(\d{2,4})$/;
  if (oneDigit.test(phoneNumber)) return `+${phoneNumber.replace(oneDigit, '$1 $2 $3 $4')}`;
  const threeDigits = /^((?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0578]|9[679])\d)(\d{2,3})(\d{3})(\d{2,4})$/;
  if (threeDigits.test(phoneNumber)) return `+${phoneNumber.replace(threeDigits, '$1 $2 $3 $4')}`;
  return `+${phoneNumber.replace(/^(\d{2})(\d{3})(\d{3,4})(\d+)$/, '$1 $2 $3 $4')}`;
}

/** Who wrote a message, or whom it is for. */
export const otherSide = ({ direction, from, to }: Pick<Message, 'direction' | 'from' | 'to'>): string =>
  readable(direction === 'inbound' ? (from ?? '') : (to ?? '–'));

/** The name of a country in the language of the page. */
export function countryName(country: string, locale: string): string {
  return new Intl.DisplayNames([locale], { type: 'region' }).of(country) ?? country;
}

/** Every country that has phone numbers. */
const codes =
  'AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG ' +
  'CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI ' +
  'GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA ' +
  'LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO ' +
  'NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST ' +
  'SV SX SY SZ TA TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW';

/** The countries by name, as a select takes them. */
export function countryChoices(locale: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  return codes
    .split(' ')
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, locale));
}
