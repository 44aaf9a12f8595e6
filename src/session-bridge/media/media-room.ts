import type { Previews } from './previews/previews.ts';
import type { Transfers } from './transfers.ts';
import type { UploadTickets } from './upload-tickets.ts';
import type { VoiceNotes } from './voice-notes/voice-notes.ts';

/** What the files of all numbers share. */
export interface MediaRoom {
  tickets: UploadTickets;
  /** To the network, and from it: neither holds up the other. */
  outbound: Transfers;
  inbound: Transfers;
  /**
   * Also transfers to the network, of files that are first converted to voice notes. That takes time, and other files do not
   * wait for it.
   */
  converted: Transfers;
  previews: Previews;
  voiceNotes: VoiceNotes;
}
