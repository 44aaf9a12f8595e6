import type { Words } from '../words/texts.ts';

export const common: Words['common'] = {
  cancel: 'Cancelar',
  close: 'Cerrar',
  save: 'Guardar',
  saved: 'Guardado',
  delete: 'Eliminar',
  back: 'Atrás',
  more: 'Más',
  copy: 'Copiar',
  copied: 'Copiado',
  tryAgain: 'Reintentar',
  loading: 'Cargando',
  loadMore: 'Mostrar más',
  none: 'Ninguno',
  never: 'Nunca',
  utc: '{time} UTC',
  stepUp: 'Iniciaste sesión hace un rato. Confirma que eres tú para continuar.',
  yourPassword: 'Tu contraseña',
  wrongPassword: 'Contraseña incorrecta.',
  confirm: 'Confirmar',
  noSuchPage: 'Página no encontrada',
  noSuchPageLead: 'Puede que la dirección esté mal escrita o que la página se haya eliminado.',
  toOverview: 'Ir al resumen',
  typeToConfirm: 'Escribe {word} para confirmar',
  status: {
    queued: 'En cola',
    sent: 'Enviado',
    delivered: 'Entregado',
    read: 'Leído',
    failed: 'Fallido',
    received: 'Recibido',
  },
};

export const problems: Words['problems'] = {
  title: 'Algo ha ido mal',
  requestId: 'ID de la solicitud',
  unreachable:
    'No se ha podido contactar con la pasarela. No se ha cambiado nada. Comprueba tu conexión y reinténtalo.',
  timeout:
    'La pasarela ha tardado demasiado en responder. Comprueba si el cambio se hizo antes de reintentarlo.',
  forbidden: 'Tu rol no lo permite. Pídeselo a un propietario o administrador de la cuenta.',
  notFound: 'Esto ya no existe. Puede que alguien lo haya eliminado.',
  conflict: 'Entra en conflicto con el estado actual. No se ha cambiado nada.',
  quota: 'Los mensajes de este mes se han agotado. Se reinician el {date}.',
  rateLimited:
    'Demasiadas solicitudes. Espera {seconds, plural, one {# segundo} other {# segundos}} y reinténtalo.',
  invalid: 'Algunos campos necesitan otro valor. Lo que escribiste sigue aquí.',
  recipient: 'No se puede escribir a este destinatario.',
  noSender: 'Ningún número puede enviar ahora. Conecta uno y reinténtalo.',
  signedOut: 'Tu sesión ha caducado. Vuelve a iniciar sesión.',
  internal: 'Algo ha fallado en la pasarela. No se ha perdido nada de lo que escribiste. Reinténtalo.',
  gatewaySays: 'La pasarela dice: {message}',
};
