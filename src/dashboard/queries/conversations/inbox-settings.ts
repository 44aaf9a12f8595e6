import { queryClient } from '../../gateway/query-client.ts';
import { cannedRepliesQuery, labelsQuery, teamsQuery } from './conversation-details.ts';

/** Teams, labels or canned replies are others now. */
export async function inboxSettingsChanged(): Promise<void> {
  const keys = [teamsQuery, labelsQuery, cannedRepliesQuery].map(({ queryKey }) => queryKey);
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}
