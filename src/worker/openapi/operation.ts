import type { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { OwnErrors } from './errors.ts';
import type { headers } from './headers.ts';
import type { Tag } from './tags.ts';

/** An example as it stands in the document. */
interface Example {
  summary: string;
  value: unknown;
}

/** One answer that is no error. */
export interface Answer {
  status: 200 | 201 | 202 | 204 | 206 | 503;
  description: string;
  /** JSON, unless `media` says otherwise; left out where there is no body. */
  schema?: z.ZodType;
  example?: unknown;
  /** Bodies in other media types, by type. */
  media?: Record<string, { schema: z.ZodType; example: unknown }>;
  headers?: (keyof typeof headers)[];
}

/** What the document says about one route. Who may call it, and the schemas of its request, are read from the route itself. */
export interface Operation {
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As the router knows it: `/v1/messages/:messageId`. */
  path: string;
  tag: Tag;
  summary: string;
  description: string;
  /** Only for a route that reads its body by hand: every other body schema comes from the route's middleware. */
  body?: z.ZodType;
  /** Bodies that are no JSON, by media type. */
  rawBody?: Record<string, { schema: z.ZodType; example: unknown }>;
  /** Only for a route that reads its query by hand. */
  query?: z.ZodObject;
  /** What each field of the body means, by dotted path; the test wants one for every field. */
  fields?: Record<string, string>;
  examples?: Record<string, Example>;
  /** What each query parameter of this route means, where the general sentence does not fit. */
  parameters?: Record<string, string>;
  /** Example values of path and query parameters, where the general one does not fit. */
  parameterExamples?: Record<string, string | number>;
  requestHeaders?: ('Idempotency-Key' | 'If-Match' | 'traceparent')[];
  answers: Answer[];
  /** Errors beyond those that follow from the guard, the body, the query and the ids of the path. */
  errors?: ErrorCode[];
  /** What an error means here, where the general description does not fit. */
  ownErrors?: OwnErrors;
}
