import { z } from 'zod';

/** Names that the tools of every assistant have already. */
const takenNames = ['search_knowledge', 'look_up_contact', 'hand_off', 'add_label'];

const toolName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{1,39}$/,
    'Must be 2 to 40 lowercase letters, digits and underscores, and start with a letter.',
  )
  .refine((name) => !takenNames.includes(name), 'The assistant already has a tool with this name.');

/** Where the value comes from. What says whom it is about comes from the conversation, never from the model. */
const parameterSources = ['model', 'contact_phone_number', 'contact_id', 'conversation_id'] as const;

const toolParameterSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9_]{0,39}$/,
      'Must be 1 to 40 letters, digits and underscores, and start with a letter.',
    ),
  type: z.enum(['string', 'number', 'integer', 'boolean']).default('string'),
  description: z.string().max(500).default(''),
  required: z.boolean().default(true),
  from: z.enum(parameterSources).default('model'),
});
export type ToolParameter = z.infer<typeof toolParameterSchema>;

const headerSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'Must be 1 to 64 letters, digits and dashes.')
    .refine((name) => !/^(host|content-length|connection|transfer-encoding|cookie)$/i.test(name), {
      message: 'This header cannot be set.',
    }),
  /** Write only. */
  value: z
    .string()
    .min(1)
    .max(2000)
    .regex(/^[\x20-\x7e]*$/, 'Must be printable ASCII.')
    .optional(),
});

/** Placeholders of a URL: `{orderId}`. */
const placeholdersOf = (url: string): string[] =>
  [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '');

/** The URL with every placeholder filled by something harmless, so that it can be judged as a URL. */
export const urlToJudge = (url: string): string => url.replaceAll(/\{[^{}]*\}/g, 'x');

const isInHost = (url: string): boolean => /^[a-z]+:\/\/[^/?#]*[{}]/i.test(url);

/** A call to the owner's own server that the model may ask for. */
export const httpToolSchema = z
  .strictObject({
    name: toolName,
    description: z.string().trim().min(1).max(1000),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
    url: z.string().min(1).max(2048),
    parameters: z.array(toolParameterSchema).max(20).default([]),
    headers: z.array(headerSchema).max(10).default([]),
    approved: z.boolean().default(false),
  })
  .superRefine(({ url, parameters }, context) => {
    const names = parameters.map(({ name }) => name);
    const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
    if (twice >= 0) {
      context.addIssue({
        code: 'custom',
        path: ['parameters', twice, 'name'],
        message: 'Listed twice.',
      });
    }
    if (isInHost(url)) {
      context.addIssue({ code: 'custom', path: ['url'], message: 'A placeholder cannot be in the host.' });
    }
    const unknown = placeholdersOf(url).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      context.addIssue({ code: 'custom', path: ['url'], message: 'A placeholder must name a parameter.' });
    }
  });
export type HttpTool = z.infer<typeof httpToolSchema>;

/** What only reads is called as it is; anything else once a person has approved it. */
export const mayBeCalled = ({ method, approved }: Pick<HttpTool, 'method' | 'approved'>): boolean =>
  method === 'GET' || approved;
