import DefaultTheme from 'vitepress/theme';
import Diagram from './diagram.vue';

/** VitePress's theme with the component that `config.mjs` makes of each Mermaid block. */
export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('Diagram', Diagram),
};
