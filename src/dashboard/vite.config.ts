import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [react()],
  build: {
    emptyOutDir: true,
    target: 'es2022',
    // Files of their own: the page may load nothing from `data:`.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    manifest: 'build.json',
  },
});
