import type { Previews } from './previews/previews.ts';
import type { Transfers } from './transfers.ts';
import type { UploadTickets } from './upload-tickets.ts';

/** What the files of all numbers share. */
export interface MediaRoom {
  tickets: UploadTickets;
  /** To the network, and from it: neither holds up the other. */
  outbound: Transfers;
  inbound: Transfers;
  previews: Previews;
}
