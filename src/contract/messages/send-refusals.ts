/**
 * What a failed send says about the number that sent it. `nothing`: the trouble is the message's or its recipient's.
 * `failure`: five in a row, or more than half of the last twenty, and the number rests. `rest`: it rests at once.
 * `restriction`: it begins no new chats for a while.
 */
export type RefusalWeight = 'nothing' | 'failure' | 'rest' | 'restriction';

interface SendRefusal {
  /** For a person; ends up as the `errorMessage` of the message. */
  sentence: string;
  weight: RefusalWeight;
  /** Why it has this weight. */
  because: string;
}

/**
 * The codes with which the network refuses a send, or a question that has to be answered before it. The one list of them:
 * the bridge takes its sentences from it, the number's health its weights, and the guide's table is held to it. 421 and 475
 * are named so in the network's own web client (`StaleGroupAddressingMode`, `NewChatMessagesCapped`), 463 and 479 in
 * Baileys 7.0.0-rc14, `SERVER_ERROR_CODES`.
 */
export const networkRefusals = {
  '400': {
    sentence: 'The network rejected the message as malformed (400).',
    weight: 'nothing',
    because: 'The message is at fault, or the address that the recipient has moved from.',
  },
  '401': {
    sentence: 'The network does not allow this number to send the message (401).',
    weight: 'nothing',
    because: 'It is about one chat. A number that may send nothing loses its session instead.',
  },
  '403': {
    sentence: 'The network does not allow this number to write there (403).',
    weight: 'nothing',
    because: 'The number is not in this group, or only admins write there. Other chats go on.',
  },
  '404': {
    sentence: 'The network does not know the recipient (404).',
    weight: 'nothing',
    because: 'The recipient or the group is gone.',
  },
  '405': {
    sentence: 'The network does not allow this in the chat (405).',
    weight: 'nothing',
    because: 'It is about one chat.',
  },
  '406': {
    sentence: 'The network does not accept the message (406).',
    weight: 'nothing',
    because: 'The message is at fault.',
  },
  '408': {
    sentence: 'The network took too long to accept the message (408).',
    weight: 'failure',
    because: 'The network is slow for this number, which comes before it throttles.',
  },
  '410': {
    sentence: 'The recipient is no longer on the network (410).',
    weight: 'nothing',
    because: 'The recipient or the group is gone.',
  },
  '421': {
    sentence: 'The list of group members was out of date (421).',
    weight: 'nothing',
    because: 'What is known of one group is old: the members are asked for anew, and it is sent once more.',
  },
  '429': {
    sentence: 'The network says that this number sends too many messages (429).',
    weight: 'rest',
    because: 'It is said of the number itself.',
  },
  '463': {
    sentence: 'The network restricts this number from messaging new contacts (463).',
    weight: 'restriction',
    because: 'New chats only: each further try makes it last longer.',
  },
  '475': {
    sentence: 'The number has reached the limit of the network for new chats (475).',
    weight: 'restriction',
    because: 'New chats only: chats that are there go on.',
  },
  '479': {
    sentence: 'The encryption of the message was out of date (479).',
    weight: 'nothing',
    because: 'One session with one recipient is old: it is made anew, and it is sent once more.',
  },
  '500': {
    sentence: 'The network failed to accept the message (500).',
    weight: 'failure',
    because: 'The network is in trouble, or no longer serves this number.',
  },
  '503': {
    sentence: 'The network is unavailable for this message (503).',
    weight: 'failure',
    because: 'The network is in trouble, or no longer serves this number.',
  },
} as const satisfies Record<string, SendRefusal>;

/** Why a message never left, where it was no code of the network that kept it. Its `errorCode` is `not_sendable`. */
export const preparationFailures = {
  no_keys: {
    sentence: 'The message could not be prepared: the network returned no keys for the recipient.',
    weight: 'nothing',
    because: 'None of the recipient’s devices can be written to.',
  },
  file: {
    sentence: 'The file of the message could not be uploaded.',
    weight: 'nothing',
    because: 'The file is at fault, or the host of files.',
  },
  no_answer: {
    sentence: 'The message could not be prepared: the network did not answer.',
    weight: 'failure',
    because: 'The network answers nothing that this number asks, which comes before it throttles.',
  },
  unprepared: {
    sentence: 'The message could not be prepared.',
    weight: 'nothing',
    because: 'The network was not at fault, nor was the number.',
  },
} as const satisfies Record<string, SendRefusal>;
export type PreparationFailure = keyof typeof preparationFailures;

/** A code of the network that is not in the list: it may be a new way to say that the number is the trouble. */
const otherRefusalWeight: RefusalWeight = 'failure';

const refusals = new Map<string, SendRefusal>(Object.entries({ ...networkRefusals, ...preparationFailures }));

/** A sentence for a person about a send that the network refused. */
export function sendRefusal(code: string): string {
  return refusals.get(code)?.sentence ?? `The network refused the message (${code}).`;
}

/** What it says about a number that a send failed so. Null: it never left, and nobody knows why. */
export function refusalWeight(code: string | null): RefusalWeight {
  return code === null ? 'nothing' : (refusals.get(code)?.weight ?? otherRefusalWeight);
}

/** Whether this is a code of the network's, and not one of {@link preparationFailures}. */
export function isNetworkCode(code: string): boolean {
  return !Object.hasOwn(preparationFailures, code);
}
