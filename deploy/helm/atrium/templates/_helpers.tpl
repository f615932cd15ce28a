{{- define "atrium.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "atrium.selector" -}}
app.kubernetes.io/name: atrium
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "atrium.labels" -}}
{{ include "atrium.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "atrium.image" -}}
{{ .Values.image.repository }}
{{- if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end -}}
{{- end -}}

{{- define "atrium.databaseSecret" -}}
{{- if .Values.database.url }}{{ include "atrium.name" . }}-database{{ else }}{{ .Values.database.existingSecret }}{{ end -}}
{{- end -}}

{{- define "atrium.scheme" -}}
{{- ternary "HTTPS" "HTTP" (hasKey .Values.settings "ATRIUM_TLS_CERT") -}}
{{- end -}}

{{/* What the pods of the nodes and of the migration share. */}}
{{- define "atrium.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  # Makes volumes writable, such as the one of ATRIUM_AUDIT_EXPORT_FOLDER.
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: temporary
    emptyDir: {sizeLimit: {{ .Values.temporarySize | quote }}}
  - name: postgres-ca
    secret:
      secretName: {{ include "atrium.databaseSecret" . }}
      optional: true
      items: [{key: ca.pem, path: ca.pem}]
  - name: secrets
    projected:
      sources:
        - secret:
            name: {{ include "atrium.databaseSecret" . }}
            items:
              - key: {{ .Values.database.urlKey }}
                path: ATRIUM_DATABASE
        {{- range $name, $secret := .Values.secretSettings }}
        - secret:
            name: {{ $secret.name }}
            items:
              - key: {{ $secret.key }}
                path: {{ $name }}
        {{- end }}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "atrium.container" -}}
image: {{ include "atrium.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  - name: ATRIUM_DATABASE_FILE
    value: /etc/atrium/secrets/ATRIUM_DATABASE
  - name: ATRIUM_DRAIN_SECONDS
    value: {{ .Values.drainSeconds | quote }}
  {{- with .Values.trustedProxies }}
  - name: ATRIUM_TRUSTED_PROXIES
    value: {{ join "," . | quote }}
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    {{- /* Helm reads numbers as float64, which Go prints as 5.36870912e+08, and JSON as 536870912. */}}
    value: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }}
  {{- end }}
  {{- range $name, $secret := .Values.secretSettings }}
  - name: {{ $name }}_FILE
    value: /etc/atrium/secrets/{{ $name }}
  {{- end }}
resources: {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: temporary, mountPath: /tmp}
  - {name: postgres-ca, mountPath: /etc/atrium/postgres, readOnly: true}
  - {name: secrets, mountPath: /etc/atrium/secrets, readOnly: true}
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
