// The renderer has its own words for dark: a class on the root element.
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

// The document is JSON: the renderer would read it as YAML, which takes long for one of this size.
const readAsJson = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_, { specActions }) =>
          (text) =>
            specActions.updateJsonSpec(JSON.parse(text)),
      },
    },
  },
})

SwaggerUIBundle({
  plugins: [readAsJson],
  url: 'openapi.json',
  domNode: document.getElementById('api'),
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  defaultModelRendering: 'example',
  displayRequestDuration: true,
  // Nothing is asked from elsewhere, not even whether the document is valid.
  validatorUrl: null,
})
