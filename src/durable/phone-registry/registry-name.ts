import { createHash } from 'node:crypto';

/** The name of a phone number's object: no phone number stands in the name of anything. */
export const registryNameOf = (phoneNumber: string): string =>
  createHash('sha256').update(`phone:${phoneNumber}`).digest('hex');
