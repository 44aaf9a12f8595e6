import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { release } from '../contract/release.ts';
import { EventInbox, simulatedRecipient, walkDemoMessage } from './demo/demo-message.ts';
import { type DemoReceiver, showEvents, startDemoReceiver } from './demo/demo-receiver.ts';
import { LocalAccount } from './demo/local-account.ts';
import { type MailCatcher, startMailCatcher } from './demo/mail-catcher.ts';
import { connectSimulatedNumber, pairRealNumber } from './demo/number-pairing.ts';
import { buildWorker } from './gateway/worker-build.ts';
import { closeHome, type Home, openHome, requireRoom } from './home/home.ts';
import { writePrivateFile, writePrivateJson } from './home/private-file.ts';
import { loadOrMakeSecrets } from './home/secrets.ts';
import { openLog } from './parts/line-log.ts';
import {
  bridgePart,
  gatewayPart,
  type PartsContext,
  type RunningBridge,
  simulatorPart,
} from './parts/parts.ts';
import type { SupervisedPart } from './parts/supervised-part.ts';
import { requireFreePort } from './ports.ts';
import { projectRoot } from './project-root.ts';
import { type ReadyFacts, showReady } from './ready-text.ts';
import { type LocalSettings, listenedAddresses } from './settings.ts';
import { terminal } from './terminal.ts';
import { waitUntil } from './wait-until.ts';

const partStartsWithinMs = 60_000;
/** Under the home, where nobody reads the terminal. */
const resetLinkFile = 'reset-link.txt';

/**
 * Runs all parts on this machine until `signal` aborts, then stops them in order. Throws what a person can read
 * when it cannot start or a part does not come back; nothing is left running then either.
 */
export async function runLocalGateway(settings: LocalSettings, signal: AbortSignal): Promise<void> {
  const startedAt = Date.now();
  if (settings.logTo === 'stdout') terminal.quieten();
  terminal.title(`Heliograph ${release}`);
  const home = openHome(settings.home, settings.bridges);
  const log = openLog(home.logs, 'local', settings.logTo);
  const logger = pino({ base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, log);
  const run = new LocalRun(settings, home, logger, signal);
  try {
    await run.start(startedAt);
    await run.untilStopped();
  } catch (error) {
    if (!signal.aborted) {
      logger.fatal({ event: 'local.failed', message: (error as Error).message });
      throw error;
    }
  } finally {
    await run.stop();
    closeHome();
    logger.info({ event: 'local.stopped' });
    log.close();
  }
}

class LocalRun {
  readonly #settings: LocalSettings;
  readonly #home: Home;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;
  /** In the order of their start; they stop in the opposite order, so the bridge drains while the gateway is there. */
  readonly #parts: SupervisedPart[] = [];
  readonly #stopped: Promise<void>;
  /** In the order of their places. */
  readonly #bridges: RunningBridge[] = [];
  /** What `local.json` says beside the bridges; null until everything is there. */
  #description: object | null = null;
  #receiver: DemoReceiver | null = null;
  #mailCatcher: MailCatcher | null = null;

  constructor(settings: LocalSettings, home: Home, logger: Logger, signal: AbortSignal) {
    this.#settings = settings;
    this.#home = home;
    this.#logger = logger;
    this.#signal = signal;
    this.#stopped = new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async start(startedAt: number): Promise<void> {
    const { port, host, baseUrl, simulatorPort, network, demo, bridges } = this.#settings;
    const home = this.#home;
    requireRoom(home.path);
    const secrets = loadOrMakeSecrets(home.path, network);
    for (const address of listenedAddresses(host)) await requireFreePort(port, 'PORT', undefined, address);
    if (network === 'simulator') {
      await requireFreePort(simulatorPort, 'SIMULATOR_PORT');
      await requireFreePort(
        simulatorPort + 1,
        'SIMULATOR_PORT + 1',
        'set SIMULATOR_PORT so that the port above it is free too',
      );
    }
    terminal.ok('state', home.path);
    if (home.setAsideAt !== null) {
      this.#logger.warn({ event: 'local.set_aside', folder: home.setAsideAt });
      terminal.warn(`The state of an earlier version was moved to ${home.setAsideAt}: this one begins anew.`);
    }
    rmSync(join(home.path, resetLinkFile), { force: true });

    const common = { home, settings: this.#settings, secrets, logger: this.#logger };
    const simulator = network === 'simulator' ? this.#add(simulatorPart(common)) : null;
    const build = await this.#during(buildWorker(projectRoot));
    const mail = await startMailCatcher();
    this.#mailCatcher = mail;
    if (demo) this.#receiver = await startDemoReceiver((event) => this.#inbox.add(event));
    const gateway = this.#add(
      gatewayPart({
        ...common,
        projectRoot,
        buildFolder: build.folder,
        mailCatcherUrl: mail.url,
        demoReceiverUrl: this.#receiver?.url ?? null,
      }),
    );
    if (simulator !== null) {
      await this.#during(simulator.ready);
      terminal.ok('simulator', `ws://127.0.0.1:${simulatorPort}/ws/chat`);
    }
    await this.#during(gateway.ready);
    terminal.ok('gateway', baseUrl);
    await this.#during(this.#startBridges(common));
    const dialled = network === 'simulator' ? 'the simulator' : 'WhatsApp';
    terminal.ok(bridges === 1 ? 'bridge' : `${bridges} bridges`, `to ${dialled}`);

    const account = new LocalAccount(baseUrl, home.path, secrets);
    await this.#during(account.signIn());
    const apiKey = await this.#during(account.apiKey());
    await this.#asFarAsItMay(account, this.#connectReceiver(account));
    const simulatorUrl = `http://127.0.0.1:${simulatorPort}`;
    const number =
      network === 'simulator' && demo
        ? await this.#asFarAsItMay(account, connectSimulatedNumber(account, simulatorUrl, this.#signal))
        : null;
    const description = {
      baseUrl,
      admin: account.isLocked ? { ...secrets.admin, password: null } : secrets.admin,
      apiKey,
      simulator:
        network === 'simulator'
          ? { socketUrl: `ws://127.0.0.1:${simulatorPort}/ws/chat`, adminUrl: simulatorUrl }
          : null,
      mail: { url: mail.url },
    };
    this.#describe({ ...description, ...pairedNumber(number) });
    const readyMs = Date.now() - startedAt;
    this.#logger.info({ event: 'local.ready', release, readyMs, baseUrl, credentials: home.localJson });
    const facts: ReadyFacts = {
      baseUrl,
      admin: secrets.admin,
      apiKey,
      localJson: home.localJson,
      showsSecrets: secrets.areNew === true && terminal.isRead,
      isLocked: account.isLocked,
      demo,
      phoneNumber: number?.phoneNumber ?? null,
    };
    showReady(facts, readyMs);
    if (this.#settings.resetsAdmin) await this.#during(this.#showResetLink(account));

    if (number !== null && apiKey !== null) await this.#during(this.#walkDemo(baseUrl, apiKey, simulatorUrl));
    else if (network === 'whatsapp' && demo) {
      const paired = await this.#asFarAsItMay(account, pairRealNumber(account, this.#signal));
      if (paired !== null) this.#describe({ ...description, ...pairedNumber(paired) });
    }
    terminal.text('');
    terminal.text('Running. Ctrl-C stops everything.');
    if (this.#receiver !== null) {
      terminal.text('');
      this.#inbox.showFurther(showEvents((line) => terminal.text(line)));
    }
  }

  /** Resolves when it was asked to stop; rejects when a part does not come back. */
  async untilStopped(): Promise<void> {
    await this.#during(this.#stopped);
  }

  async stop(): Promise<void> {
    if (this.#signal.aborted) terminal.text('Stopping …');
    for (const part of this.#parts.toReversed()) await part.stop();
    await this.#receiver?.close();
    await this.#mailCatcher?.close();
    if (this.#signal.aborted) terminal.text('Stopped.');
  }

  /** Whatever is under way ends early when it was asked to stop or a part gives up. */
  async #during<Value>(step: Promise<Value>): Promise<Value> {
    step.catch(() => {});
    const value = await Promise.race([step, this.#stopped, ...this.#parts.map((part) => part.gaveUp)]);
    this.#signal.throwIfAborted();
    return value as Value;
  }

  /** Where the administrator has made the account their own, the start does what it may, and the rest of the demo rests. */
  async #asFarAsItMay<Value>(account: LocalAccount, step: Promise<Value>): Promise<Value | null> {
    try {
      return await this.#during(step);
    } catch (error) {
      if (!account.isLocked || this.#signal.aborted) throw error;
      this.#logger.info({ event: 'local.demo_rests', message: (error as Error).message });
      return null;
    }
  }

  /** Shown to a person at a terminal; else it lies where its owner alone finds it. */
  async #showResetLink(account: LocalAccount): Promise<void> {
    const link = await account.resetLink();
    if (link === null) {
      terminal.warn('HELIOGRAPH_RESET_ADMIN: there is no first administrator any more.');
      return;
    }
    terminal.heading(
      'A link with which the first administrator sets a new password, good once and for an hour',
    );
    if (terminal.isRead) {
      terminal.text(link);
      return;
    }
    const file = join(this.#home.path, resetLinkFile);
    writePrivateFile(file, `${link}\n`);
    this.#logger.warn({ event: 'local.reset_link', file });
    terminal.text(`It lies in ${file}.`);
  }

  #add(part: SupervisedPart): SupervisedPart {
    this.#parts.push(part);
    return part;
  }

  /** All of them, and at least one has reported to the gateway. */
  async #startBridges(context: PartsContext): Promise<void> {
    const { baseUrl, bridges } = this.#settings;
    const started = Array.from({ length: bridges }, (_, index) => {
      const part = bridgePart(context, index + 1, (bridge) => {
        this.#bridges[index] = bridge;
        this.#writeLocalJson();
      });
      return this.#add(part).ready;
    });
    await Promise.all([...started, this.#bridgeThere(baseUrl)]);
  }

  #describe(description: object): void {
    this.#description = description;
    this.#writeLocalJson();
  }

  /** Written when everything is there, and again when a bridge has got another process. */
  #writeLocalJson(): void {
    if (this.#description === null) return;
    writePrivateJson(this.#home.localJson, { ...this.#description, bridges: this.#bridges });
  }

  #bridgeThere(baseUrl: string): Promise<true> {
    return waitUntil(
      'The bridge did not report to the gateway',
      partStartsWithinMs,
      async () => {
        const answer = await fetch(`${baseUrl}/readyz`).catch(() => null);
        await answer?.body?.cancel();
        return answer?.ok ? true : null;
      },
      this.#signal,
    );
  }

  readonly #inbox = new EventInbox();

  async #connectReceiver(account: LocalAccount): Promise<void> {
    if (this.#receiver === null) {
      await account.restWebhook();
      return;
    }
    this.#receiver.verifyWith(await account.webhookSecret(this.#receiver.url));
    terminal.ok('receiver', this.#receiver.url);
  }

  async #walkDemo(baseUrl: string, apiKey: string, simulatorUrl: string): Promise<void> {
    terminal.heading(`One message to ${simulatedRecipient}, a simulated phone`);
    try {
      await walkDemoMessage({
        baseUrl,
        apiKey,
        simulatorUrl,
        inbox: this.#inbox,
        signal: this.#signal,
        onStep: (step, verified, afterMs) => {
          const verdict = verified ? 'signature verified ✓' : 'signature does NOT fit ✗';
          terminal.text(`${step.padEnd(20)}${verdict}   ${(afterMs / 1000).toFixed(2)} s`);
        },
      });
    } catch (error) {
      // The gateway is up; what the demo could not do is said, and costs nothing else.
      this.#logger.error({ event: 'local.demo_failed', message: (error as Error).message });
      terminal.trouble(`The demo message did not make it: ${(error as Error).message}`);
    }
  }
}

const pairedNumber = (paired: { numberId: string; phoneNumber: string } | null) => ({
  numberId: paired?.numberId ?? null,
  phoneNumber: paired?.phoneNumber ?? null,
});
