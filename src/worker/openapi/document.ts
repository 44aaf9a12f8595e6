import type { RouterRoute } from 'hono/types';
import { z } from 'zod';
import { eventNameSchema } from '../../contract/events.ts';
import { type RouteGuard, routeGuards, routeName } from '../auth/guards/route-guards.ts';
import { callbacks } from './callbacks.ts';
import { errorExamples } from './errors.ts';
import { headers } from './headers.ts';
import { introduction } from './introduction.ts';
import { componentSchemas, describeFields, otherContent, schemaReference } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { documentPath, parametersOf, requestName, requestOf } from './request.ts';
import { responsesOf } from './responses.ts';
import { answerSchemas } from './schemas.ts';
import { callersOf, requirementsOf, securitySchemes, whoMayCall } from './security.ts';
import { tags } from './tags.ts';

/** The OpenAPI 3.1 document of these operations of these routes. Throws when it describes an operation that is no route. */
export function openApiDocument(operations: readonly Operation[], routes: readonly RouterRoute[]) {
  const guards = routeGuards(routes);
  const described = operations.map((operation) => ({
    operation,
    request: requestOf(operation, routes),
    guarded: guardOf(operation, guards),
  }));
  const bodySchemas = z.registry<{ id: string }>().add(eventNameSchema, { id: 'EventName' });
  for (const { operation, request } of described)
    if (request.json !== undefined) bodySchemas.add(request.json, { id: requestName(operation) });
  const bodies = componentSchemas(bodySchemas, 'input');
  const paths: Record<string, Record<string, object>> = {};
  for (const { operation, request, guarded } of described) {
    const body = bodies[requestName(operation)];
    if (body !== undefined) describeFields(body, operation.fields ?? {});
    const path = documentPath(operation.path);
    paths[path] = {
      ...paths[path],
      [operation.method]: {
        operationId: operation.id,
        tags: [operation.tag],
        summary: operation.summary,
        description: `${operation.description}\n\n${whoMayCall(guarded.guard, guarded.stepUp)}`,
        security: requirementsOf(guarded.guard),
        'x-callers': callersOf(guarded.guard),
        ...(guarded.guard.key && { 'x-scope': guarded.guard.key }),
        ...(guarded.stepUp && { 'x-step-up': guarded.stepUp }),
        parameters: parametersOf(operation, request.query),
        ...((body !== undefined || operation.rawBody) && {
          requestBody: requestBody(operation, body !== undefined),
        }),
        responses: responsesOf(operation, request, guarded),
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
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: callbacks,
    components: {
      securitySchemes,
      headers,
      examples: errorExamples,
      schemas: { ...bodies, ...componentSchemas(answerSchemas, 'output') },
    },
  };
}

function guardOf(operation: Operation, guards: Map<string, RouteGuard>): RouteGuard {
  const guarded = guards.get(routeName(operation));
  if (guarded === undefined) throw new Error(`there is no route ${routeName(operation)}`);
  return guarded;
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
