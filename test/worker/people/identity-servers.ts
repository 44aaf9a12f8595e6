import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Server } from 'oauth2-mock-server';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { TestProject } from 'vitest/node';

/** An e-mail as its recipient would read it. */
export interface ReceivedMail {
  to: string;
  from: string;
  subject: string;
  text: string;
  /** Empty: it has none. */
  html: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    identityServers: {
      /** A mail server that asks for `mailUser` and `mailPassword`. */
      smtpPort: number;
      mailUser: string;
      mailPassword: string;
      /** One that greets nobody: what waits for it waits long. */
      silentSmtpPort: number;
      /** `GET /mail?to=` answers what arrived; `POST /token` has the identity provider sign its body. */
      deskUrl: string;
      oidcIssuer: string;
    };
  }
}

const mailUser = 'heliograph';
const mailPassword = 'mail-password-of-the-test';

/** In Node, for tests that run in workerd: a real mail server, a real identity provider, and a desk to ask both at. */
export default async function startIdentityServers(project: TestProject): Promise<() => Promise<void>> {
  const mails: ReceivedMail[] = [];
  const smtp = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    // By default it waits half a minute for whoever is connected, and so would the end of the tests.
    closeTimeout: 1,
    onAuth({ username, password }, _session, callback) {
      if (username === mailUser && password === mailPassword) callback(null, { user: username });
      else callback(new Error('Wrong user or password'));
    },
    onRcptTo({ address }, _session, callback) {
      callback(address.startsWith('refused-') ? new Error(`No mailbox ${address} here`) : null);
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const { from, subject, text, html } = await PostalMime.parse(Buffer.concat(chunks));
        for (const { address } of session.envelope.rcptTo) {
          const said = { subject: subject ?? '', text: text ?? '', html: html ?? '' };
          mails.push({ to: address, from: from?.address ?? '', ...said });
        }
        callback();
      });
    },
  });
  const smtpPort = await listening(smtp.listen(0, '127.0.0.1'));
  const { createServer: createSocketServer } = await import('node:net');
  const silent = createSocketServer();
  const silentSmtpPort = await listening(silent.listen(0, '127.0.0.1'));

  const provider = new OAuth2Server();
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');

  const desk = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.setHeader('Content-Type', 'application/json');
    if (url.pathname === '/mail') {
      response.end(JSON.stringify(mails.filter(({ to }) => to === url.searchParams.get('to'))));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { expiresIn, ...claims } = JSON.parse(Buffer.concat(chunks).toString());
    const token = await provider.issuer.buildToken({
      expiresIn: expiresIn ?? 600,
      scopesOrTransform: (_header, payload) => {
        Object.assign(payload, claims);
        // One that is never over.
        if (expiresIn === null) Reflect.deleteProperty(payload, 'exp');
      },
    });
    response.end(JSON.stringify({ token }));
  });
  const deskPort = await listening(desk.listen(0, '127.0.0.1'));

  project.provide('identityServers', {
    smtpPort,
    mailUser,
    mailPassword,
    silentSmtpPort,
    deskUrl: `http://127.0.0.1:${deskPort}`,
    oidcIssuer: provider.issuer.url ?? '',
  });
  return async () => {
    await provider.stop();
    desk.closeAllConnections();
    for (const server of [desk, silent, smtp]) server.close();
  };
}

function listening(server: { address(): unknown; once(event: string, listener: () => void): unknown }) {
  const { promise, resolve } = Promise.withResolvers<number>();
  server.once('listening', () => resolve((server.address() as AddressInfo).port));
  return promise;
}
