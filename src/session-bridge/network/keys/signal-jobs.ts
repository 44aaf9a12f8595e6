import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

/** What is used here of the Signal library, which comes with the client. */
interface SignalLibrary {
  SessionCipher: {
    prototype: {
      addr: object;
      queueJob<Result>(job: () => Promise<Result>): Promise<Result>;
      doDecryptWhisperMessage(message: Uint8Array, session?: Session): Promise<Uint8Array>;
    };
  };
  SessionBuilder: { prototype: { addr: object; initOutgoing(device: object): Promise<void> } };
}
interface Session {
  constructor: { deserialize(stored: object): Session };
  serialize(): object;
}
type QueueJob = <Result>(bucket: string, job: () => Promise<Result>) => Promise<Result>;

/*
 * The Signal library does the jobs for one peer's address in turn: for all numbers of the process, and in the asynchronous
 * context of whichever job came first. The client knows its transaction by that context. If two numbers talk to one person at
 * once, a job would so work outside its transaction, or in one that is over: the step of a ratchet would be stored too early,
 * and a crash lose the message, or never, and the same key be used twice. Here each job keeps its own context.
 */
const requireAsClient = createRequire(import.meta.resolve('@whiskeysockets/baileys'));
const { SessionCipher, SessionBuilder }: SignalLibrary = requireAsClient('libsignal');
const queueJob: QueueJob = requireAsClient('libsignal/src/queue_job.js');

/** Runs jobs of one name one after another, each in its own asynchronous context. */
export const inTurn = <Result>(name: string, job: () => Promise<Result>): Promise<Result> =>
  queueJob(`in turn: ${name}`, AsyncLocalStorage.bind(job));

SessionCipher.prototype.queueJob = function (job) {
  return inTurn(`${this.addr}`, job);
};
const { initOutgoing } = SessionBuilder.prototype;
// It queues its work by itself: in turn with the others, nothing is ever ahead of it there.
SessionBuilder.prototype.initOutgoing = function (device) {
  return inTurn(`${this.addr}`, () => initOutgoing.call(this, device));
};

const { doDecryptWhisperMessage } = SessionCipher.prototype;
/*
 * A person's sessions are tried one after another, and the library steps the ratchet of each before it sees whether the message
 * fits. It stores them all once one does: a late message of an earlier session would so break the present one.
 */
SessionCipher.prototype.doDecryptWhisperMessage = async function (message, session) {
  const before = session?.serialize();
  try {
    return await doDecryptWhisperMessage.call(this, message, session);
  } catch (error) {
    if (session && before) Object.assign(session, session.constructor.deserialize(before));
    throw error;
  }
};
