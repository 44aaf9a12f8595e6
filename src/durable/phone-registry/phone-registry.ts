import { BackedUpObject } from '../backup/backed-up-object.ts';
import { log } from '../log.ts';

/** A number that a phone is linked to. */
interface PhoneHolder {
  accountId: string;
  numberId: string;
}

/**
 * One phone of the deployment. Owns which number was linked to it last, in whatever account. A phone can be linked to several
 * accounts, since it may have a new owner or several companion devices. The previous number is told.
 */
export class PhoneRegistry extends BackedUpObject {
  /** The phone has been linked to this number. Repeating it changes nothing. */
  async claim(holder: PhoneHolder, phoneNumber: string): Promise<void> {
    const before = await this.ctx.storage.get<PhoneHolder>('holder');
    if (before?.numberId === holder.numberId) return;
    if (before !== undefined && before.accountId !== holder.accountId) {
      log('phone.linked_elsewhere', { accountId: before.accountId, numberId: before.numberId });
      await this.env.PHONE_NUMBER.getByName(before.numberId).notePhoneLinkedElsewhere(phoneNumber);
    }
    await this.ctx.storage.put('holder', holder);
  }
}
