/** Variables that may be missing, so `wrangler.toml` does not name them and the generated `Env` does not know them. */
declare namespace Cloudflare {
  interface Env {
    /** `loopback`: webhooks may also point at this machine, by http too. Only the local gateway sets it. */
    WEBHOOK_TARGETS?: string;
    /** Seconds a delivery may be overdue before the sweep queues it again; 30 when it is not set. */
    SWEEP_GRACE_SECONDS?: string;
    /** Plans beside `free`: a JSON object of messages a month by name, such as `{"business": 50000}`. */
    PLANS?: string;
  }
}
interface Env extends Cloudflare.Env {}
