import { randomInt, randomUUID } from 'node:crypto';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { HttpError, requestJson } from '../../../src/local/json-client.ts';
import { GatewayProcess } from '../../journeys/stage/gateway-process.ts';
import { waitUntil } from '../../wait-until.ts';

/** Of the gateway's origin, and runs nothing. */
const plainPage = '/healthz';
const usualViewport = { width: 1440, height: 900 };

/** A page needs far less: it ends what hangs. */
const pageTimeoutMs = 60_000;

/**
 * Of all files that this worker runs, one after the other: its connection to Chromium, and the tabs of tests that are over with the
 * shared gateway. The first page in a new browser costs three times what another one does in the same.
 */
let connection: Promise<Browser> | null = null;
const sharedTabs: Page[] = [];
/** Errors that pages of the running test have shown, and what it expects in them. */
const complaints: string[] = [];
const expected: string[] = [];

/** A gateway with the simulator, and a browser in front of it. */
export class Stage {
  gateway!: GatewayProcess;
  readonly #contexts: BrowserContext[] = [];
  /** Tabs of the running test that the next one may have. */
  readonly #tabs: Page[] = [];
  /** Tabs of tests that are over, each in a browser of its own with nobody signed in. */
  #emptyTabs: Page[] = [];

  /** For the tests of a file, with the gateway of all files: nothing of it is killed, or set otherwise. */
  static open(): Stage {
    const stage = new Stage();
    stage.#emptyTabs = sharedTabs;
    beforeAll(async () => {
      stage.gateway = GatewayProcess.at(inject('browserGateway'));
    });
    stage.#openBrowser();
    return stage;
  }

  /** For the tests of a file that kill parts of their gateway, or need other settings. */
  static openOwn(environment: Record<string, string> = {}): Stage {
    const stage = new Stage();
    beforeAll(async () => {
      stage.gateway = await GatewayProcess.start(environment);
    });
    stage.#openBrowser();
    afterAll(async () => {
      for (const tab of stage.#emptyTabs.splice(0)) await tab.context().close();
      await stage.gateway?.discard();
    });
    return stage;
  }

  /** After each test the browser has had nothing to complain of. */
  #openBrowser(): void {
    afterEach(async ({ task }) => {
      const told = complaints.splice(0);
      const tabs = this.#tabs.splice(0);
      const kept = task.result?.state === 'fail' ? [] : tabs.filter((tab) => !tab.isClosed());
      for (const context of this.#contexts.splice(0)) {
        const tab = kept.find((each) => each.context() === context);
        if (tab === undefined || !(await this.#emptied(tab))) await context.close();
        else this.#emptyTabs.push(tab);
      }
      expected.length = 0;
      complaints.length = 0;
      expect(told).toEqual([]);
    });
  }

  /** Takes everything out of a tab and its browser that a test has left there; false where the gateway is gone. */
  async #emptied(tab: Page): Promise<boolean> {
    const context = tab.context();
    for (const other of context.pages()) if (other !== tab) await other.close();
    await tab.unrouteAll({ behavior: 'ignoreErrors' });
    await context.clearCookies();
    const answer = await tab.goto(plainPage).catch(() => null);
    if (answer === null) return false;
    await tab.evaluate('localStorage.clear(), sessionStorage.clear()');
    await tab.emulateMedia({ colorScheme: 'light' });
    return true;
  }

  /** A tab of a browser that nobody has signed in with. It shows a page of the gateway that runs nothing. */
  async newTab(viewport = usualViewport): Promise<Page> {
    const empty = this.#emptyTabs.pop();
    if (empty !== undefined) this.#contexts.push(empty.context());
    const tab = empty ?? (await (await this.newBrowser()).newPage());
    if (empty === undefined) await tab.goto(plainPage);
    this.#tabs.push(tab);
    await tab.setViewportSize(viewport);
    return tab;
  }

  get baseUrl(): string {
    return this.gateway.local.baseUrl;
  }

  /** A browser of another language, or whose clock is set. Whoever needs neither takes a tab that is there. */
  async newBrowser(locale = 'en-GB'): Promise<BrowserContext> {
    connection ??= chromium.connect(inject('chromiumUrl'));
    const context = await (await connection).newContext({
      viewport: usualViewport,
      baseURL: this.baseUrl,
      locale,
      // What moves is drawn again and again.
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(pageTimeoutMs);
    context.on('weberror', (error) => complaints.push(String(error.error())));
    // A request to another origin is one too: the dashboard's own policy refuses it.
    context.on('console', (message) => {
      if (message.type() === 'error' && !expected.some((part) => message.text().includes(part))) {
        complaints.push(`${message.text()} ${message.location().url}`);
      }
    });
    this.#contexts.push(context);
    return context;
  }

  /** Every browser reports a request that was refused, whatever the page makes of it. */
  expectRefusals(...statuses: number[]): void {
    expected.push(...statuses.map((status) => `status of ${status}`));
  }

  /** While the gateway is gone. */
  expectNoConnection(): void {
    expected.push('net::ERR_');
  }

  /** An account of its own, with its owner. */
  async newPerson(): Promise<Person> {
    const person = new Person(this);
    await this.request('POST', '/v1/auth/sign-up', {
      headers: { authorization: `Bearer ${this.gateway.secrets.bootstrapToken}` },
      body: { email: person.email, password: person.password, name: 'Ada', accountName: 'Sunrise' },
    });
    return person;
  }

  request<Answer>(
    method: string,
    path: string,
    options: Parameters<typeof requestJson>[3] = {},
  ): Promise<Answer> {
    return requestJson<Answer>(this.baseUrl, method, path, options);
  }

  /** A phone that reads what it gets, and that nobody else has. */
  async newReader(): Promise<string> {
    const phone = `62813${randomInt(1e8, 1e9)}`;
    await this.simulate('PATCH', `/admin/phones/${phone}`, {
      registered: true,
      autoDeliver: true,
      autoRead: true,
    });
    return phone;
  }

  /** What the simulated phones and the simulated network are told to do. */
  simulate<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const { adminUrl } = this.gateway.local.simulator ?? { adminUrl: '' };
    return requestJson<Answer>(adminUrl, method, path, { body });
  }
}

/** The dashboard asks for a session where there may be one (src/dashboard/gateway/session.ts). */
const markSignedIn = "localStorage.setItem('heliograph-was-signed-in', 'yes')";

/** A token for calls of the API, and cookies for a browser. */
interface Session {
  token: string;
  cookies: { name: string; value: string }[];
}

/** The owner of an account, who signs in with a browser, and by the API for what a test needs first. */
export class Person {
  readonly email = `${randomUUID()}@example.com`;
  readonly password = `pass-${randomUUID()}`;
  /** A phone that nobody else has. */
  readonly phoneNumber = `62812${randomInt(1e8, 1e9)}`;
  readonly #stage: Stage;
  /** Of calls of the API, and of the first browser: to look at a password takes the gateway a fifth of a second. */
  #session: Promise<Session> | null = null;
  #isOpened = false;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /**
   * Signs in, and opens a page, in a tab of its own unless told otherwise. The form for it is used by the tests that are about it:
   * the cookie is the same.
   */
  async open(path = '/', wanted?: Page): Promise<Page> {
    const page = wanted ?? (await this.#stage.newTab());
    const { cookies } = await (this.#isOpened ? this.#signIn() : this.#firstSession());
    this.#isOpened = true;
    const url = this.#stage.baseUrl;
    await page
      .context()
      .addCookies(cookies.map((cookie) => ({ ...cookie, url, httpOnly: true, sameSite: 'Strict' })));
    if (page.url() === 'about:blank') await page.goto(plainPage);
    await page.evaluate(markSignedIn);
    await page.goto(path);
    return page;
  }

  async signInOn(page: Page): Promise<void> {
    await page.getByRole('textbox', { name: 'E-mail' }).fill(this.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(this.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** A call of the API in their name. Who was signed out meanwhile signs in again. */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const ask = async () => {
      const headers = { authorization: `Bearer ${(await this.#firstSession()).token}` };
      return this.#stage.request<Answer>(method, path, { headers, body });
    };
    return ask().catch((error: unknown) => {
      if (!(error instanceof HttpError) || error.status !== 401) throw error;
      this.#session = null;
      return ask();
    });
  }

  /** What the operator has their account on; the shared gateway has a `large` one beside the free one. */
  async getPlan(plan: string): Promise<void> {
    const { accountId } = await this.call<{ accountId: string }>('GET', '/v1/account');
    await this.#stage.request('PUT', `/v1/operator/accounts/${accountId}/plan`, {
      headers: { authorization: `Bearer ${this.#stage.gateway.secrets.bootstrapToken}` },
      body: { plan },
    });
  }

  #firstSession(): Promise<Session> {
    this.#session ??= this.#signIn();
    return this.#session;
  }

  async #signIn(): Promise<Session> {
    const { email, password } = this;
    const response = await fetch(`${this.#stage.baseUrl}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(response.status).toBe(200);
    const { token } = (await response.json()) as { token: string };
    const cookies = response.headers.getSetCookie().map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      return { name, value };
    });
    return { token, cookies };
  }

  /** A number that is paired and connected, and speaks without pauses. */
  async pairedNumber(label = 'Front desk'): Promise<string> {
    const { numberId } = await this.call<{ numberId: string }>('POST', '/v1/numbers', { label });
    const path = `/v1/numbers/${numberId}`;
    await this.call('PATCH', path, { pacing: { minDelayMs: 0, maxDelayMs: 0 } });
    let { nextCursor } = await this.#events('after=now');
    await this.call('POST', `${path}/pair`, { method: 'qr' });
    await waitUntil('The number was not paired', async () => {
      const told = await this.#events(`after=${nextCursor}&events=device.pairing&wait=30`);
      nextCursor = told.nextCursor;
      const qr = told.data.at(-1)?.data.qr;
      return qr ? this.scan(qr).catch(() => null) : null;
    });
    // What waits for an event asks once.
    await this.#events(`after=${nextCursor}&events=device.connected&wait=30`);
    await waitUntil('The number did not connect', async () => {
      const { state } = await this.call<{ state: string }>('GET', path);
      return state === 'connected' ? true : null;
    });
    return numberId;
  }

  #events(query: string) {
    return this.call<{ data: { data: { qr?: string } }[]; nextCursor: string }>('GET', `/v1/events?${query}`);
  }

  /** Their phone scans a code. */
  scan(qr: string): Promise<{ phoneNumber: string }> {
    return this.#stage.simulate('POST', `/admin/mock-phone/scan-qr?phone=${this.phoneNumber}`, qr);
  }
}
