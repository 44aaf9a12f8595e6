import type { RouterRoute } from 'hono/types';
import { callbacks, eventSchemas } from './callbacks.ts';
import { answerSchemas, sharedSchemas } from './components.ts';
import { errorExamples } from './errors.ts';
import { headers } from './headers.ts';
import { introduction } from './introduction.ts';
import { componentSchemas, describeFields, otherContent, schemaReference } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations/all.ts';
import { documentPath, parametersOf, requestName, requestOf } from './request.ts';
import { responsesOf } from './responses.ts';
import { callers, requirements, securitySchemes, whoMayCall } from './security.ts';
import { tags } from './tags.ts';

/** The OpenAPI 3.1 document of these routes. Throws when it describes an operation that is no route. */
export function openApiDocument(routes: readonly RouterRoute[]) {
  const described = operations.map((operation) => ({ operation, request: requestOf(operation, routes) }));
  const bodies = componentSchemas(
    {
      ...sharedSchemas,
      ...Object.fromEntries(
        described.flatMap(({ operation, request }) =>
          request.json === undefined ? [] : [[requestName(operation), request.json]],
        ),
      ),
    },
    'input',
  );
  const paths: Record<string, Record<string, object>> = {};
  for (const { operation, request } of described) {
    const body = bodies[requestName(operation)];
    if (body !== undefined) describeFields(body, operation.fields ?? {});
    const path = documentPath(operation.path);
    paths[path] = {
      ...paths[path],
      [operation.method]: {
        operationId: operation.id,
        tags: [operation.tag],
        summary: operation.summary,
        description: `${operation.description}\n\n${whoMayCall(operation.credential, operation.scope)}`,
        security: requirements[operation.credential],
        'x-callers': callers[operation.credential],
        ...(operation.scope && { 'x-scope': operation.scope }),
        parameters: parametersOf(operation, request.query),
        ...((body !== undefined || operation.rawBody) && {
          requestBody: requestBody(operation, body !== undefined),
        }),
        responses: responsesOf(operation, request),
      },
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Heliograph',
      version: '1',
      summary: 'A messaging gateway at the edge.',
      description: introduction,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: callbacks,
    components: {
      securitySchemes,
      headers,
      examples: errorExamples,
      schemas: {
        ...bodies,
        ...componentSchemas({ ...sharedSchemas, ...answerSchemas, ...eventSchemas }, 'output'),
      },
    },
  };
}

function requestBody(operation: Operation, hasJson: boolean) {
  const json = {
    'application/json': {
      schema: schemaReference(requestName(operation)),
      examples: operation.examples ?? {},
    },
  };
  return {
    required: true,
    content: { ...(hasJson && json), ...otherContent(operation.rawBody ?? {}, 'input') },
  };
}
