import { settingsOf } from '../../../../../settings/worker-settings.ts';
import { openDatabase } from '../../../../db/database.ts';
import { sendMail } from '../../../../mail/mailer.ts';
import { memberAddresses } from '../../rows/alert-channels.ts';
import { alertLetter } from '../../words/alert-letter.ts';
import { again, delivered, givenUp, type SendToChannel } from '../attempt.ts';

/** Only to people of the account, and to who has agreed: an address is looked at each time. */
export const sendByEmail: SendToChannel = async ({ env, accountId, order, text, isTest }) => {
  const { shownTarget: to, confirmedAt } = order.channel;
  if (typeof to !== 'string') return givenUp('The channel has no address.');
  const isAgreed =
    confirmedAt !== null || (await memberAddresses(openDatabase(env.DB), accountId, [to])).has(to);
  if (!isAgreed) return givenUp('The address is not confirmed: its owner has to open the link first.');
  const outcome = await sendMail(env, alertLetter(to, text, isTest), order.deliveryId);
  if (outcome === 'failed') return again('The mail server rejected it.');
  // On the machine of whoever tries the gateway, mails are caught.
  const isCaught = settingsOf(env).MAIL_CATCHER_URL !== undefined;
  return outcome === 'sent' || isCaught ? delivered() : givenUp('This gateway has no mail server.');
};
