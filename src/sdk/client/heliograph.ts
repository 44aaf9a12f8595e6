import { AlertChannels, AlertMutes, Alerts } from './alerts.ts';
import { Bridges } from './bridges.ts';
import { ConversationPresence, Conversations } from './conversations.ts';
import { ApiKeys, Requests, Webhooks } from './developers.ts';
import { Events } from './events.ts';
import type { Account, Confirmed, StepUpRequest, Traffic, Usage } from './generated/api-types.ts';
import { HeliographError } from './http/errors.ts';
import { time } from './http/resource.ts';
import { type LoginOptions, Session } from './http/session.ts';
import { type Call, type CallOptions, type ClientOptions, Transport } from './http/transport.ts';
import { Assistants, ConversationAssistants } from './messaging/assistants.ts';
import { Automations } from './messaging/automations.ts';
import { Campaigns } from './messaging/campaigns.ts';
import { ContactAttributes, ContactLabels, Contacts, OptOuts, Segments } from './messaging/contacts.ts';
import { Groups } from './messaging/groups.ts';
import { Media, Messages } from './messaging/messages.ts';
import { Numbers } from './messaging/numbers.ts';
import { BusinessHoursSets, Reports, SlaPolicies } from './service-levels.ts';
import { AccountSettings } from './settings.ts';
import { CannedReplies, Labels, Teams } from './teams.ts';

/** Which part of the traffic; left out, the last 30 days by day. */
export interface TrafficRange {
  interval?: 'hour' | 'day';
  since?: Date | string;
  until?: Date | string;
  numberId?: string;
  groupBy?: 'number';
}

/**
 * The client of one gateway. Every call is repeated after network errors, 429 and 5xx where a repeat is safe; a send
 * always is, since all its attempts carry one idempotency key.
 */
export class Heliograph {
  readonly messages: Messages;
  readonly media: Media;
  readonly numbers: Numbers;
  readonly groups: Groups;
  readonly contacts: Contacts;
  readonly contactAttributes: ContactAttributes;
  readonly contactLabels: ContactLabels;
  readonly segments: Segments;
  readonly campaigns: Campaigns;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly apiKeys: ApiKeys;
  readonly settings: AccountSettings;
  readonly optOuts: OptOuts;
  readonly requests: Requests;
  readonly alerts: Alerts;
  readonly assistants: Assistants;
  readonly conversationAssistants: ConversationAssistants;
  readonly businessHours: BusinessHoursSets;
  readonly slaPolicies: SlaPolicies;
  readonly reports: Reports;
  readonly conversations: Conversations;
  readonly conversationPresence: ConversationPresence;
  readonly alertChannels: AlertChannels;
  readonly alertMutes: AlertMutes;
  readonly teams: Teams;
  readonly labels: Labels;
  readonly cannedReplies: CannedReplies;
  readonly automations: Automations;
  readonly bridges: Bridges;
  readonly #transport: Transport;

  /** Throws when there is neither an `apiKey` nor a `token`, or both, or when `baseUrl` is no URL. */
  constructor(options: ClientOptions) {
    if ((options.apiKey === undefined) === (options.token === undefined)) {
      throw new HeliographError('Give either an apiKey or a token.');
    }
    this.#transport = new Transport(options);
    this.messages = new Messages(this.#transport, '/v1/messages');
    this.media = new Media(this.#transport, '/v1/media');
    this.numbers = new Numbers(this.#transport, '/v1/numbers');
    this.contacts = new Contacts(this.#transport, '/v1/contacts');
    this.contactLabels = new ContactLabels(this.#transport, '/v1/contact-labels');
    this.contactAttributes = new ContactAttributes(this.#transport, '/v1/contact-attributes');
    this.segments = new Segments(this.#transport, '/v1/segments');
    this.campaigns = new Campaigns(this.#transport, '/v1/campaigns');
    this.groups = new Groups(this.#transport, '/v1/numbers');
    this.webhooks = new Webhooks(this.#transport, '/v1/webhooks');
    this.events = new Events(this.#transport, '/v1/events');
    this.apiKeys = new ApiKeys(this.#transport, '/v1/auth/api-keys');
    this.settings = new AccountSettings(this.#transport, '/v1/settings');
    this.optOuts = new OptOuts(this.#transport, '/v1/opt-outs');
    this.requests = new Requests(this.#transport, '/v1/requests');
    this.alerts = new Alerts(this.#transport, '/v1/alerts');
    this.assistants = new Assistants(this.#transport, '/v1/assistants');
    this.conversationAssistants = new ConversationAssistants(this.#transport, '/v1/conversations');
    this.businessHours = new BusinessHoursSets(this.#transport, '/v1/business-hours');
    this.slaPolicies = new SlaPolicies(this.#transport, '/v1/sla-policies');
    this.reports = new Reports(this.#transport, '/v1/reports');
    this.conversations = new Conversations(this.#transport, '/v1/conversations');
    this.conversationPresence = new ConversationPresence(this.#transport, '/v1/conversations');
    this.alertChannels = new AlertChannels(this.#transport, '/v1/alert-channels');
    this.alertMutes = new AlertMutes(this.#transport, '/v1/alert-mutes');
    this.teams = new Teams(this.#transport, '/v1/teams');
    this.labels = new Labels(this.#transport, '/v1/labels');
    this.cannedReplies = new CannedReplies(this.#transport, '/v1/canned-replies');
    this.automations = new Automations(this.#transport, '/v1/automations');
    this.bridges = new Bridges(this.#transport, '/v1/operator/bridges');
  }

  /**
   * Signs a person in: a client for what takes a token, such as pairing numbers and making API keys. Its tokens are renewed
   * as they run out, for as long as the session lasts. Servers that send take an `apiKey` instead.
   */
  static async login(options: LoginOptions): Promise<SignedInHeliograph> {
    return new SignedInHeliograph(options, await Session.start(options));
  }

  /**
   * Any other operation of the gateway, by its method and path: `request({ method: 'GET', path: '/v1/alerts' })`. Resolves with
   * the parsed answer, undefined where there is none.
   */
  async request<Answer = unknown>(call: Call): Promise<Answer> {
    return (await this.#transport.call(call)) as Answer;
  }

  /** The account, its plan, and how much it has of what that allows. Takes the token of an owner or admin. */
  account(options: CallOptions = {}): Promise<Account> {
    return this.request({ ...options, method: 'GET', path: '/v1/account' });
  }

  /**
   * Shows with the password, or a code of the second factor, that it is still the person who has signed in: after a
   * `PermissionError` with the code `STEP_UP_REQUIRED`. It counts for 10 minutes.
   */
  stepUp(proof: StepUpRequest, options: CallOptions = {}): Promise<Confirmed> {
    return this.request({ ...options, method: 'POST', path: '/v1/auth/step-up', body: proof });
  }

  /** How many messages took which step, by hour or by day (UTC); `groupBy: 'number'` tells each number by itself too. */
  traffic({ since, until, ...range }: TrafficRange = {}, options: CallOptions = {}): Promise<Traffic> {
    const query = { ...range, since: time(since), until: time(until) };
    return this.request({ ...options, method: 'GET', path: '/v1/traffic', query });
  }

  /** How much of this month's quota is used, in all, by number and by day. */
  usage(options: CallOptions = {}): Promise<Usage> {
    return this.request({ ...options, method: 'GET', path: '/v1/usage' });
  }
}

/** The client of a person who has signed in. */
export class SignedInHeliograph extends Heliograph {
  readonly session: Session;

  constructor(
    { email: _email, password: _password, code: _code, ...options }: LoginOptions,
    session: Session,
  ) {
    super({ ...options, token: (refused) => session.token(refused) });
    this.session = session;
  }
}
