import { logOf } from '../event-log/log-of.ts';
import type { LoggedMessage } from '../event-log/messages/logged-message.ts';
import { outcomeEvents } from './outcomes/outcomes.ts';
import type { CampaignPorts, MessageOutcome } from './ports.ts';

/** The account and the log of a campaign, as its object asks them. */
export function campaignPorts(env: () => Env, accountId: () => string): CampaignPorts {
  const account = () => env().ACCOUNT.getByName(accountId());
  const log = () => logOf(env(), accountId());
  return {
    audience: async (source, after, limit) => log().audience(source, after, limit, 'all'),
    recipients: async (addresses) => account().recipients(addresses),
    outlook: async (numberIds) => account().campaignOutlook(numberIds),
    sendAll: async (sends) => account().sendForCampaign(sends),
    withdraw: async (messages) =>
      account().withdraw(
        messages.map(({ messageId }) => messageId),
        messages.map(({ numberId }) => numberId),
      ),
    stopWords: async () => account().stopWords(),
    events: async (after, limit) =>
      log().readEvents({ after, limit, filter: { events: outcomeEvents, numberId: null } }),
    messages: async (messageIds) => {
      const found = await Promise.all(messageIds.map((messageId) => log().message(messageId)));
      return found.flatMap(outcomeOf);
    },
  };
}

function outcomeOf(message: LoggedMessage | null): MessageOutcome[] {
  if (message?.direction !== 'outbound') return [];
  const { messageId, numberId, status, sentAt, deliveredAt, readAt, failedAt } = message;
  const { errorMessage, errorCode } = message;
  return [{ messageId, numberId, status, sentAt, deliveredAt, readAt, failedAt, errorMessage, errorCode }];
}
