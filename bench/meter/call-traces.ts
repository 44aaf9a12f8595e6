import { AsyncLocalStorage } from 'node:async_hooks';

/** One distant call: to an object or to D1. The ticks are of a clock that moves with each begin and end, and no other. */
interface DistantCall {
  target: string;
  beganAt: number;
  endedAt: number | null;
}

/** What one invocation called before it answered. */
export interface CallTrace {
  /** `fetch POST /v1/messages/send`, `Account.send`. */
  name: string;
  calls: DistantCall[];
  /** Tick of its answer; what is called later holds nobody up. */
  answeredAt: number | null;
}

const keptMax = 2000;
const current = new AsyncLocalStorage<CallTrace>();
let traces: CallTrace[] = [];
let tick = 0;

/** Calls `then` when `run` is over, however it ends; what returns at once still does. */
export function whenDone<Answer>(run: () => Answer, then: () => void): Answer {
  let answer: Answer;
  try {
    answer = run();
  } catch (error) {
    then();
    throw error;
  }
  if (!(answer instanceof Promise)) {
    then();
    return answer;
  }
  return answer.finally(then) as Answer;
}

/** Runs an invocation under a trace of its own. */
export function traced<Answer>(name: string, run: () => Answer): Answer {
  const trace: CallTrace = { name, calls: [], answeredAt: null };
  if (traces.length < keptMax) traces.push(trace);
  return whenDone(
    () => current.run(trace, run),
    () => {
      tick += 1;
      trace.answeredAt = tick;
    },
  );
}

/** Notes a distant call in the trace of the invocation that makes it. */
export async function tracedCall<Answer>(target: string, run: () => Answer): Promise<Awaited<Answer>> {
  const trace = current.getStore();
  if (trace === undefined) return await run();
  tick += 1;
  const call: DistantCall = { target, beganAt: tick, endedAt: null };
  trace.calls.push(call);
  try {
    return await run();
  } finally {
    tick += 1;
    call.endedAt = tick;
  }
}

/** The traces since the last taking, at most 2,000. */
export function takeTraces(): CallTrace[] {
  const taken = traces;
  traces = [];
  return taken;
}
