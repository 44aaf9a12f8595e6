import { type BrowserServer, chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { type GatewayPlace, GatewayProcess } from '../../journeys/stage/gateway-process.ts';
import { chromiumPath } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of every file whose tests kill nothing and need no other settings; each test has accounts of its own there. */
    browserGateway: GatewayPlace;
    /** Where the one Chromium listens. */
    chromiumUrl: string;
  }
}

const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A microphone that beeps, and that every page may use.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  // Each process is a page's own else, and starting one costs a third of a second.
  '--renderer-process-limit=2',
  // What a page of a test runs is over before better code for it would pay.
  '--js-flags=--no-opt --no-maglev',
];

const environment = {
  // Nobody waits long for a repetition, or for more alerts to come.
  WEBHOOK_RETRY_SECONDS: '1,1,1,1',
  ALERT_GATHER_SECONDS: '1',
  ALERT_RETRY_SECONDS: '1,1',
  KEY_RATE_BURST: '1000',
  ACCOUNT_RATE_BURST: '1000',
  PERSON_RATE_BURST: '1000',
  PLANS: JSON.stringify({ large: 'unlimited' }),
};

function launchChromium(): Promise<BrowserServer> {
  if (chromiumPath === null) throw new Error('There is no Chromium on this machine.');
  return chromium.launchServer({ executablePath: chromiumPath, args: launchArguments });
}

/** Starts one gateway with its simulator and one Chromium for all files, and stops them after the last one. */
export default async function openSharedStage(project: TestProject): Promise<() => Promise<void>> {
  const browser = await launchChromium();
  const gateway = await GatewayProcess.startShared(environment).catch(async (error: unknown) => {
    await browser.close();
    throw error;
  });
  project.provide('browserGateway', gateway.place);
  project.provide('chromiumUrl', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await gateway.discard();
  };
}
