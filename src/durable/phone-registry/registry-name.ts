import { createHash } from 'node:crypto';

/** The name of the object for a phone number. It does not contain the phone number. */
export const registryNameOf = (phoneNumber: string): string =>
  createHash('sha256').update(`phone:${phoneNumber}`).digest('hex');
