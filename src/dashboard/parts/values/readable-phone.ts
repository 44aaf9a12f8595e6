/** Groups of digits are easier to read. What is no phone number stays as it is. */
export function readable(phoneNumber: string): string {
  if (!/^\d+$/.test(phoneNumber)) return phoneNumber;
  // The only country codes of one digit: of North America, and of Russia and Kazakhstan.
  const oneDigit = /^([17])(\d{3})(\d{3})(\d{2,4})$/;
  if (oneDigit.test(phoneNumber)) return `+${phoneNumber.replace(oneDigit, '$1 $2 $3 $4')}`;
  return `+${phoneNumber.replace(/^(\d{2})(\d{3})(\d{3,4})(\d+)$/, '$1 $2 $3 $4')}`;
}
