// Shows /openapi.json. Everything it needs comes from this host.
import { offerCredentials } from './credentials.js';
import { listOperations } from './operations.js';

const darkness = window.matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', darkness.matches);
darkness.addEventListener('change', paint);
paint();

const place = document.getElementById('reference');
try {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) throw new Error(`/openapi.json answered ${answer.status}`);
  const spec = await answer.json();
  // What the guide's opening says already.
  const { description: _description, ...info } = spec.info;
  const viewer = window.SwaggerUIBundle({
    spec: { ...spec, info },
    domNode: place,
    presets: [window.SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    // A call that takes either credential is made as the person, where both are given: the gateway takes one.
    requestInterceptor: (request) => {
      if (request.headers.Authorization !== undefined) delete request.headers['X-API-Key'];
      return request;
    },
    // The public validator is another host.
    validatorUrl: null,
    onComplete: () => {
      listOperations(spec, viewer);
      offerCredentials(viewer);
    },
  });
} catch (error) {
  place.textContent = `The reference could not be loaded: ${error.message}. Reload the page to try again.`;
}
