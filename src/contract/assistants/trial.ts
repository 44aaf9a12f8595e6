/** Whom a trial is about, as tools are told: a phone number that nobody has, and ids that are nobody's. */
export const madeUpContact = {
  phoneNumber: '12025550123',
  contactId: '00000000-0000-7000-8000-000000000001',
  conversationId: '00000000-0000-7000-8000-000000000002',
};
