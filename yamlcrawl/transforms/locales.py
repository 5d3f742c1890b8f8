"""How numbers are written where: made by docs/generate_locales.py from CLDR, not by hand."""

LANGUAGES = frozenset(
    (
        "aa ab ady af agq ak am an ann apc ar arn ary as asa ast az ba bal bas be bem bew bez bg bgc bgn bho blo blt "
        "bm bn bo bqi br brh brx bs bss bua byn ca cad cch ccp ce ceb cgg cho chr cic ckb co cop cs csw cu cv cy da "
        "dav de dje doi dsb dua dv dyo dz ebu ee el en eo es et eu ewo fa ff fi fil fo fr frr fur fy ga gaa gd gez gl "
        "gn gsw gu guz gv ha haw he hi hnj hr hrx hsb ht hu hy ia id ie ig ii io is isv it iu ja jbo jgo jmc jv ka kaa "
        "kab kaj kam kbd kcg kde kea kek ken kgp khq ki kk kkj kl kln km kn ko kok kpe ks ksb ksf ksh ku kw kxv ky la "
        "lag lb lg lij lkt lld lmo ln lo lrc lt ltg lu luo luy lv lzz mai mas mdf mer mfe mg mgh mgo mhn mi mic mk ml "
        "mn mni moh mr mrh ms mt mua mus mww my myv mzn naq nb nd nds ne nl nmg nn nnh no nqo nr nso nus nv ny nyn oc "
        "oka om or os osa pa pap pcm pi pis pl pms prg ps pt qu quc raj rhg rif rm rn ro rof ru rw rwk sa sah saq sat "
        "sbp sc scn sd sdh se seh ses sg sgs shi shn si sid sk skr sl sma smj smn sms sn so sq sr ss ssy st su sus suz "
        "sv sw syr szl ta te teo tg th ti tig tk tn to tok tpi tr trv trw ts tt twq tyv tzm ug uk ur uz vai ve vec vi "
        "vmw vo vun wa wae wal wbp wo xdq xh xnr xog yav yi yo yrl yue za zgh zh zu"
    ).split()
)
"""Every language that is known."""
COMMA = frozenset(
    (
        "ady af agq ar-DZ ar-LB ar-LY ar-MA ar-MR ar-TN ast az ba bas be bg blo br bs bua ca cs cv da de dsb dua dyo "
        "el en-AT en-BE en-CZ en-DE en-DK en-EE en-ES en-FI en-FR en-GE en-HU en-ID en-IT en-LT en-LV en-NL en-NO "
        "en-PL en-PT en-RO en-SE en-SI en-SK en-UA en-ZA eo es et eu ewo ff fi fo fr fy gl hr hsb ht hu hy ia id ie is "
        "it jgo jv ka kab kbd kea kgp kk kkj kl ksf ku ky lb lij lld ln lo lt lu lv mgh mk ms-BN ms-ID mua nb nl nmg "
        "nn nnh no nr pl pms ps pt qu-BO rm rn ro ru rw sah sc scn se seh sg shi sk sl smn sq sr ss su sv sw-CD tg tk "
        "tok tr ts tt tzm uk uz ve vec vi wo yav yrl zgh"
    ).split()
)
"""Where the decimal mark is a comma: languages, and regions of other languages."""
POINT = frozenset(
    (
        "de-CH de-LI es-419 es-BR es-BZ es-CU es-DO es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-SV es-US fr-RW it-CH"
    ).split()
)
"""Regions of these languages where it is a point."""
UNEVEN = frozenset(
    (
        "as as-IN bn bn-BD bn-IN brx brx-IN ccp ccp-BD ccp-IN dv dv-MV dz dz-BT en-IN gu gu-IN hi hi-IN kok kxv ml "
        "ml-IN mr mr-IN ne ne-IN ne-NP or or-IN pa sa sa-IN ta ta-IN ta-LK te te-IN xnr xnr-IN"
    ).split()
)
"""Where digits are grouped as 12,34,567."""
CODES = frozenset(
    (
        "ADP AED AFA AFN ALK ALL AMD ANG AOA AOK AON AOR ARA ARL ARM ARP ARS ATS AUD AWG AZM AZN BAD BAM BAN BBD BDT "
        "BEC BEF BEL BGL BGM BGN BGO BHD BIF BMD BND BOB BOL BOP BOV BRB BRC BRE BRL BRN BRR BRZ BSD BTN BUK BWP BYB "
        "BYN BYR BZD CAD CDF CHE CHF CHW CLE CLF CLP CNH CNY COP COU CRC CSD CSK CUC CUP CVE CYP CZK DDM DEM DJF DKK "
        "DOP DZD ECS ECV EEK EGP ERN ESA ESB ESP ETB EUR FIM FJD FKP FRF GBP GEK GEL GHC GHS GIP GMD GNF GNS GQE GRD "
        "GTQ GWE GWP GYD HKD HNL HRD HRK HTG HUF IDR IEP ILP ILR ILS INR IQD IRR ISJ ISK ITL JMD JOD JPY KES KGS KHR "
        "KMF KPW KRH KRO KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LTT LUC LUF LUL LVL LVR LYD MAD MAF MCF MDC MDL MGA "
        "MGF MKD MKN MLF MMK MNT MOP MRO MRU MTL MTP MUR MVP MVR MWK MXN MXP MXV MYR MZE MZM MZN NAD NGN NIC NIO NLG "
        "NOK NPR NZD OMR PAB PEI PEN PES PGK PHP PKR PLN PLZ PTE PYG QAR RHD ROL RON RSD RUB RUR RWF SAR SBD SCR SDD "
        "SDG SDP SEK SGD SHP SIT SKK SLE SLL SOS SRD SRG SSP STD STN SUR SVC SYP SZL THB TJR TJS TMM TMT TND TOP TPE "
        "TRL TRY TTD TWD TZS UAH UAK UGS UGX USD USN USS UYI UYP UYU UYW UZS VEB VED VEF VES VND VNN VUV WST XAD XAF "
        "XAG XAU XBA XBB XBC XBD XCD XCG XDR XEU XFO XFU XOF XPD XPF XPT XRE XSU XTS XUA XXX YDD YER YUD YUM YUN YUR "
        "ZAL ZAR ZMK ZMW ZRN ZRZ ZWD ZWG ZWL ZWR"
    ).split()
)
"""Codes of currencies (ISO 4217), old ones too."""
SIGNS = frozenset(
    (
        "Afl. Ar B/. Br Bs Bs. Bs.S CF CFP CFPF Cf Cg Cg. D DA DT Db Dkr E ECU Esc. F FB FBu FC FCFA FCFP FG Fdj Ft "
        "Gs. Ikr KM Ksh Kz Kč Kčs L LS Le Lekë Ls MK MTn NAf. NIS Nfk Nkr Nu. P Q R RF RM Rf Rp Rs Rs. S S/ SR TSh UM "
        "UP USh VT Vẽj. ZiG den din. kn kr kr. mk soʻm zł öS ƒ Δρχ КМ Кч ЛСЛ ТМТ Тл ден. дин. зл крб. лв. р. сом сўм "
        "щ.д. ל״י أ.م. ج.س. ج.م. د.أ. د.إ. د.ب. د.ت. د.ج. د.س. د.ع. د.ك. د.ل. د.م. ر ر.إ. ر.س. ر.ع. ر.ق. ر.ي. ریال "
        "فرانکCFA ل.س. ل.ل. ރ. नेरू රු. සිෆ්එ ብር 元"
    ).split()
)
"""What is written for currencies besides signs such as $; without blanks."""
