type LoginOutcome = 'logged in' | 'replaced another' | 'refused';
type Login = { phone: string; outcome: LoginOutcome; at: string };

const loginsKept = 10_000;

/** When devices logged in, oldest first: how quickly a fleet comes back, and whether two speak for one. Ends with the process. */
export class LoginLog {
  #logins: Login[] = [];

  note(phone: string, outcome: LoginOutcome): void {
    this.#logins.push({ phone, outcome, at: new Date().toISOString() });
    if (this.#logins.length > 2 * loginsKept) this.#logins = this.#logins.slice(-loginsKept);
  }

  /** The latest, and how many there were at most within one second. */
  shown(): { data: Login[]; mostInOneSecond: number } {
    const data = this.#logins.slice(-loginsKept);
    const times = data.map(({ at }) => Date.parse(at));
    let first = 0;
    let mostInOneSecond = 0;
    for (const [index, time] of times.entries()) {
      while (time - (times[first] ?? time) >= 1_000) first += 1;
      mostInOneSecond = Math.max(mostInOneSecond, index - first + 1);
    }
    return { data, mostInOneSecond };
  }
}
