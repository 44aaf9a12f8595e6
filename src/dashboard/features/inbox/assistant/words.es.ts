import type { Words } from '../../../words/texts.ts';

export const inboxAssistant: Words['inboxAssistant'] = {
  assistant: 'Asistente',
  active: '{name} responde aquí.',
  answering: '{name} está a punto de responder …',
  paused: '{name} está en pausa aquí: responde tu equipo.',
  off: '{name} no responde aquí.',
  why: 'Por qué respondió esto',
  loading: 'Un momento …',
  gone: 'Ya no se conserva cómo se llegó a esto.',
  sources: 'Fuentes',
  noSources: 'Solo con sus instrucciones: no usó ningún documento.',
  handedOff: 'Con esto pasó la conversación a personas.',
  tools: 'Herramientas: {names}',
  tokens: '{read} tokens leídos, {written} escritos',
  costs: 'cuesta {cost}',
  seconds: 'en {seconds} s',
  actions: {
    take_over: 'Tomar el control',
    pause: 'Pausar',
    hand_off: 'Pedir que la derive',
    resume: 'Dejar que responda',
  },
};
