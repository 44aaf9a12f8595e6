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
 * The Signal library runs the jobs for one peer's address one after the other, for all numbers of the process, and in the
 * asynchronous context of the job that came first. The client recognises its transaction by that context. So if two numbers
 * talk to one person at once, a job would run outside its transaction, or in one that is over. The step of a ratchet would be
 * stored too early, and a crash would lose the message. Or it would never be stored, and a key would be used twice. Here each
 * job keeps its own context.
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
 * A person's sessions are tried one after another, and the library advances the ratchet of each before it sees whether the
 * message fits. It stores all of them once one fits, so a late message of an earlier session would break the current one.
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
