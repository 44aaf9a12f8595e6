/** Groups of digits are easier to read. What is no phone number stays as it is. */
export const readable = (phoneNumber: string): string =>
  /^\d+$/.test(phoneNumber)
    ? `+${phoneNumber.replace(/^(\d{2})(\d{3})(\d{3,4})(\d+)$/, '$1 $2 $3 $4')}`
    : phoneNumber;
