// Shows /openapi.json. Everything it needs comes from this host.
window.SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The public validator is another host.
  validatorUrl: null,
});
