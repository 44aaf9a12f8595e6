import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A question to a process of the bench, and its answer, over the channel between them. */
interface Asked {
  asked: number;
  question: unknown;
}
interface Answered {
  answered: number;
  answer?: unknown;
  error?: string;
}

/** A process of the bench that answers questions, one kind of question each. */
export class AskedProcess<Question, Answer> {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  #asked = 0;

  /** @param entry TypeScript file that calls {@link answerQuestions}; `environment` is added to ours */
  constructor(entry: string, environment: Record<string, string> = {}) {
    this.#child = fork(entry, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...process.env, ...environment },
    });
    this.#child.on('message', (message) => {
      const { answered, answer, error } = message as Answered;
      const waiting = this.#waiting.get(answered);
      this.#waiting.delete(answered);
      if (error === undefined) waiting?.resolve(answer as Answer);
      else waiting?.reject(new Error(error));
    });
    this.#child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${entry} ended.`));
    });
  }

  ask(question: Question): Promise<Answer> {
    this.#asked += 1;
    const asked = this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(asked, { resolve, reject });
      this.#child.send({ asked, question } satisfies Asked);
    });
  }

  /** It ends when nobody is there to ask; resolves when it is gone. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }
}

/** The other side: answers each question, and ends with whoever asks. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer | Promise<Answer>,
  end: () => Promise<void> = async () => {},
): void {
  process.on('message', async (message) => {
    const { asked, question } = message as Asked;
    try {
      process.send?.({ answered: asked, answer: await answer(question as Question) } satisfies Answered);
    } catch (error) {
      process.send?.({ answered: asked, error: (error as Error).message } satisfies Answered);
    }
  });
  process.once('disconnect', () => {
    void end().finally(() => process.exit(0));
  });
}
