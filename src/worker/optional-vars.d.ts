/** Variables that may be missing, so `wrangler.toml` does not name them and the generated `Env` does not know them. */
declare namespace Cloudflare {
  interface Env {
    /** The key that `JWT_PRIVATE_KEY` replaces: tokens that it signed are good until they are over. */
    JWT_PRIVATE_KEY_PREVIOUS?: string;
    /** The key that `WEBHOOK_SEALING_KEY` replaces: it opens what it has sealed. */
    WEBHOOK_SEALING_KEY_PREVIOUS?: string;
    /** The secret that `KEY_CHECKSUM_SECRET` replaces: API keys that were made with it are good still. */
    KEY_CHECKSUM_SECRET_PREVIOUS?: string;
    /** Lets in every new session bridge that presents it, as often as it is presented. */
    BRIDGE_ENROLMENT_TOKEN?: string;
    /** The secret that `MEDIA_URL_SECRET` replaces: URLs that were signed with it are good still. */
    MEDIA_URL_SECRET_PREVIOUS?: string;
    /**
     * `loopback`: webhooks may also point at this machine, by http too; with `:port`, only at that port. Only the local gateway
     * sets it.
     */
    WEBHOOK_TARGETS?: string;
    /** Hosts of private networks that webhooks may call, separated by commas. */
    WEBHOOK_PRIVATE_HOSTS?: string;
    /** Hosts of other parts of the local gateway, where no URL of a customer may lead. */
    PART_HOSTS?: string;
    /** Seconds that the model of an assistant has for one answer; 60 when it is not set. */
    ASSISTANT_ANSWER_SECONDS?: string;
    /** Seconds after which an account's log looks itself for what a queue should have told it; 30 when it is not set. */
    QUEUE_GRACE_SECONDS?: string;
    DEVICE_GRACE_SECONDS?: string;
    STEP_UP_SECONDS?: string;
    /** The token bucket of each account, over all its keys; four times a key's when they are not set. */
    ACCOUNT_RATE_PER_SECOND?: string;
    ACCOUNT_RATE_BURST?: string;
    /** The token bucket of each person who is signed in: 20 a second and 100 at once when they are not set. */
    PERSON_RATE_PER_SECOND?: string;
    PERSON_RATE_BURST?: string;
    /** Failed sign-in attempts from one network address, and at one e-mail address: at once (20), and a minute (10). */
    SIGN_IN_BURST?: string;
    SIGN_IN_PER_MINUTE?: string;
    /** Who may become a user without the operator: nobody (`closed`, the default), the invited (`invite`), all (`open`). */
    SIGNUP?: string;
    /** Addresses of people who run the gateway, separated by commas; none when it is not set. */
    OPERATOR_EMAILS?: string;
    /** Regions with session bridges of their own, separated by commas; none when it is not set. */
    FLEET_REGIONS?: string;
    /** Origins whose pages may call `/v1`, separated by commas; none when it is not set. */
    CORS_ORIGINS?: string;
    /** The address of the dashboard for links in e-mails, without a slash at the end. If it is not set, the request's origin. */
    PUBLIC_URL?: string;
    /** Where URLs of files lead where `PUBLIC_URL` is not set. Only the local gateway sets it. */
    GATEWAY_URL?: string;
    /** The public half of a key of backups: for it a deployment seals one each night, after this hour, and keeps so many. */
    BACKUP_RECIPIENT?: string;
    BACKUP_HOUR?: string;
    BACKUPS_KEPT?: string;
    /** The mail server; without it no e-mail is sent. */
    SMTP_HOST?: string;
    SMTP_PORT?: string;
    /** `implicit` (TLS from the start), `starttls`, or `none` for a mail server on this machine. */
    SMTP_TLS?: string;
    /** `log`: links of e-mails that cannot be sent stand in the log. Only the local gateway sets it. */
    UNSENT_MAIL?: string;
    MAIL_CATCHER_URL?: string;
    SMTP_USER?: string;
    SMTP_PASSWORD?: string;
    /** The sender of e-mails, as an address. */
    MAIL_FROM?: string;
    /** The issuer of an outside identity provider, whose tokens for `OIDC_AUDIENCE` are taken beside our own; both or none. */
    OIDC_ISSUER?: string;
    OIDC_AUDIENCE?: string;
    /** Webhooks of one account on one URL (3) and on one host (20), and deliveries that it may have repeated a day (20000). */
    WEBHOOKS_PER_URL?: string;
    WEBHOOKS_PER_HOST?: string;
    REPEATED_DELIVERIES_PER_DAY?: string;
    /** Numbers that one session bridge is given at most; 400 when it is not set. */
    BRIDGE_CAPACITY_MAX?: string;
    /** Milliseconds for which a session bridge's leases hold without an answer of the gateway; 1000 when it is not set. */
    BRIDGE_LEASE_MS?: string;
    /** Plans beside `free`: a JSON object of messages a month by name, such as `{"business": 50000}`. */
    PLANS?: string;
  }
}
interface Env extends Cloudflare.Env {
  /** Connects to public addresses alone, and to those that the operator lists. Only the local gateway binds it. */
  PUBLIC_NETWORK?: Fetcher;
}
