import { z } from 'zod';

/** What an account may have of something; null: as much as it likes. */
type Cap = number | null;

/** What a plan caps, beside messages. */
const capNames = ['numbers', 'webhooks', 'keys', 'members', 'pairings'] as const;
export type CapName = (typeof capNames)[number];

export interface Plan {
  messagesAMonth: Cap;
  /** Of files, at any time. */
  storageBytes: Cap;
  caps: Readonly<Record<CapName, Cap>>;
}

/** By name: `free`, and those that the operator names in `PLANS`. */
export type Plans = ReadonlyMap<string, Plan>;

/** Of the free plan, and of every plan that says nothing else. */
const defaultCaps: Plan['caps'] = { numbers: 10, webhooks: 20, keys: 50, members: 25, pairings: 3 };

/** Of the free plan, and of every plan that says nothing else: 5 GiB. */
const defaultStorageBytes = 5 * 1024 ** 3;

const unlimitedCaps = Object.fromEntries(capNames.map((name) => [name, null])) as Plan['caps'];

const amount = z
  .union([z.int().min(0), z.literal('unlimited')], 'must be a whole number, or "unlimited"')
  .transform((value) => (value === 'unlimited' ? null : value));
const capFields = Object.fromEntries(capNames.map((name) => [name, amount.optional()])) as Record<
  CapName,
  z.ZodOptional<typeof amount>
>;
const plansSchema = z.record(
  z.string().min(1).max(100),
  z.union(
    [amount, z.strictObject({ messages: amount.optional(), storageBytes: amount.optional(), ...capFields })],
    {
      error: 'must be a whole number of messages a month, "unlimited", or an object of limits',
    },
  ),
);

/**
 * Reads the operator's plans: a JSON object by name. Each is a number of messages a month, `"unlimited"` (then nothing
 * is capped), or an object of `messages`, `storageBytes` and caps; what is left out is as on the free plan. Throws when it is anything
 * else: a limit that is misread would be found out by a customer's bill.
 */
export function readPlans(freeMessages: string, plansJson: string | undefined): Plans {
  const messages = freeMessages === 'unlimited' ? freeMessages : Number(freeMessages);
  const free: Plan = {
    messagesAMonth: amount.parse(messages),
    storageBytes: defaultStorageBytes,
    caps: defaultCaps,
  };
  const named = plansSchema.parse(JSON.parse(plansJson || '{}'));
  return new Map([
    ['free', free],
    ...Object.entries(named).map(([name, value]) => [name, planOfValue(value, free)] as const),
  ]);
}

function planOfValue(value: z.output<typeof plansSchema>[string], free: Plan): Plan {
  if (value === null) return { messagesAMonth: null, storageBytes: null, caps: unlimitedCaps };
  if (typeof value === 'number') return { ...free, messagesAMonth: value };
  const { messages = free.messagesAMonth, storageBytes = free.storageBytes, ...caps } = value;
  const given = Object.entries(caps).filter(([, cap]) => cap !== undefined);
  return { messagesAMonth: messages, storageBytes, caps: { ...free.caps, ...Object.fromEntries(given) } };
}

/** A plan that the operator no longer names counts as the free one. */
export function planOf(plans: Plans, name: string): Plan {
  const plan = plans.get(name) ?? plans.get('free');
  if (plan === undefined) throw new Error('there is no free plan');
  return plan;
}

/** What is wrong with `PLANS`, as the end of a sentence; null when it can be read. */
export function plansProblem(text: string): string | null {
  try {
    readPlans('0', text);
    return null;
  } catch (error) {
    if (!(error instanceof z.ZodError))
      return 'must be a JSON object by name of plan, such as {"business": 50000}';
    const issue = error.issues[0];
    return `must be limits by name of plan (${issue?.path.join('.') || 'as a whole'}: ${issue?.message})`;
  }
}
